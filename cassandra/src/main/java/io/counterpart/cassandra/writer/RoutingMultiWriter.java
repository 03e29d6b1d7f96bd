package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.report.TableCounters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.Throwables;
import org.jspecify.annotations.Nullable;

/**
 * The writer of flushes and streams: spreads the partitions over one sstable for each bucket of the
 * {@link FlushRouting}. There is one memtable, and this writer splits it on its way to disk, so
 * decoupling costs no memory. (The paper keeps two memtables and pays twice, DEPART §5.2 Exp#1.)
 *
 * <p>Not thread-safe, like every multi-writer.
 */
final class RoutingMultiWriter implements SSTableMultiWriter {
  private final WriterSpec spec;
  private final FlushRouting routing;
  private final OutputKeys keys;
  private final TableCounters counters;
  private final RecentFlushes flushes;
  private final Map<Integer, SSTableWriter> writers = new LinkedHashMap<>();
  private int currentBucket = -1;
  private @Nullable SSTableWriter current;
  private boolean counted;

  RoutingMultiWriter(
      WriterSpec spec,
      FlushRouting routing,
      OutputKeys keys,
      TableCounters counters,
      RecentFlushes flushes) {
    this.spec = spec;
    this.routing = routing;
    this.keys = keys;
    this.counters = counters;
    this.flushes = flushes;
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    if (partition.isEmpty()) {
      // a dropped column may have been all of it; a file without partitions cannot be finished
      return;
    }
    int bucket = routing.bucket(partition.partitionKey().getToken());
    SSTableWriter writer = current;
    if (writer == null || bucket != currentBucket) {
      writer = writers.computeIfAbsent(bucket, this::open);
      current = writer;
      currentBucket = bucket;
    }
    writer.append(partition);
  }

  private SSTableWriter open(int bucket) {
    return spec.open(writers.isEmpty(), keys.in(routing.ranges(bucket)));
  }

  @Override
  public Collection<SSTableReader> finish(boolean openResult) {
    List<SSTableReader> readers = new ArrayList<>(writers.size());
    for (SSTableWriter writer : writers.values()) {
      readers.add(writer.finish(openResult));
    }
    count();
    return readers;
  }

  @Override
  public Collection<SSTableReader> finished() {
    List<SSTableReader> readers = new ArrayList<>(writers.size());
    for (SSTableWriter writer : writers.values()) {
      readers.add(writer.finished());
    }
    return readers;
  }

  @Override
  public SSTableMultiWriter setOpenResult(boolean openResult) {
    writers.values().forEach(writer -> writer.setOpenResult(openResult));
    return this;
  }

  @Override
  public String getFilename() {
    return writers.isEmpty()
        ? spec.descriptor().toString()
        : writers.values().iterator().next().getFilename();
  }

  @Override
  public long getBytesWritten() {
    return writers.values().stream().mapToLong(SSTableWriter::getFilePointer).sum();
  }

  @Override
  public long getOnDiskBytesWritten() {
    return writers.values().stream().mapToLong(SSTableWriter::getEstimatedOnDiskBytesWritten).sum();
  }

  @Override
  public TableId getTableId() {
    return spec.cfs().metadata().id;
  }

  @Override
  public void prepareToCommit() {
    writers.values().forEach(SSTableWriter::prepareToCommit);
    count();
  }

  private void count() {
    if (counted) {
      return;
    }
    counted = true;
    if (spec.isFlush()) {
      flushes.add(getOnDiskBytesWritten());
    }
    writers.forEach(
        (bucket, writer) -> {
          long bytes = writer.getEstimatedOnDiskBytesWritten();
          long primary = Math.round(bytes * routing.primaryShare(bucket));
          counters.flushedPrimaryBytes.inc(primary);
          counters.flushedRedundantBytes.inc(bytes - primary);
        });
  }

  @Override
  public @Nullable Throwable commit(@Nullable Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : writers.values()) {
      failure = writer.commit(failure);
    }
    return failure;
  }

  /** Goes on after a failure: what is left of the others would stay on disk, and open. */
  @Override
  public @Nullable Throwable abort(@Nullable Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : writers.values()) {
      failure =
          Throwables.perform(
              failure, () -> spec.tracker().untrackNew(writer), () -> writer.abort());
    }
    return failure;
  }

  @Override
  public void close() {
    Throwables.maybeFail(Throwables.close(null, writers.values()));
  }
}

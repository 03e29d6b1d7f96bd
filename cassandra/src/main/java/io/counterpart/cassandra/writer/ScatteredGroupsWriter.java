package io.counterpart.cassandra.writer;

import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.DiskBoundaries;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableRewriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.jspecify.annotations.Nullable;

/**
 * Compaction writer for groups whose arcs are scattered over the ring: keeps one output open for
 * each group, since the groups' keys alternate. Early open is off, because it moves the starts of
 * the inputs and so supports one output at a time. Each data directory has at most {@link
 * RingView#mostScatteredGroups} open outputs, plus one for foreign data, each with a {@link
 * LeanMetadataCollector}.
 */
public final class ScatteredGroupsWriter extends AlignedWriter {
  private final DiskBoundaries disks;
  private final SharedTransaction shared;
  private final Map<Output, SSTableRewriter> rewriters = new LinkedHashMap<>();
  private Output current = new Output(-1, -1);

  public ScatteredGroupsWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> inputs,
      Alignment alignment) {
    super(cfs, directories, txn, inputs, alignment);
    this.disks = cfs.getDiskBoundaries();
    this.shared = new SharedTransaction(txn);
  }

  @Override
  protected void maybeSwitchWriter(DecoratedKey key) {
    Arc arc = ring().view().arc(key.getToken());
    current = new Output(arc.group(), disk(key));
    SSTableRewriter rewriter = rewriters.get(current);
    boolean full =
        rewriter != null
            && rewriter.currentWriter().getEstimatedOnDiskBytesWritten() >= sstableBytes(arc);
    if (rewriter == null || full) {
      currentDirectory = directory(current.disk());
      SSTableRewriter target =
          rewriters.computeIfAbsent(
              current,
              output -> SSTableRewriter.constructWithoutEarlyOpening(shared, false, maxAge));
      target.switchWriter(sstableWriter(currentDirectory, key));
    }
  }

  @Override
  int group() {
    return current.group();
  }

  /** In little memory: many outputs are open at once. */
  @Override
  MetadataCollector statistics() {
    return new LeanMetadataCollector(txn.originals(), cfs.metadata().comparator)
        .sstableLevel(sstableLevel());
  }

  private int disk(DecoratedKey key) {
    List<PartitionPosition> positions = disks.positions;
    if (positions == null) {
      return 0;
    }
    int index = 0;
    while (key.compareTo(positions.get(index)) > 0) {
      index++;
    }
    return index;
  }

  private Directories.DataDirectory directory(int disk) {
    return disks.positions == null
        ? getWriteDirectory(nonExpiredSSTables, getExpectedWriteSize())
        : disks.directories.get(disk);
  }

  @Override
  protected boolean realAppend(UnfilteredRowIterator partition) {
    SSTableRewriter rewriter = rewriters.get(current);
    return rewriter != null && rewriter.append(partition) != null;
  }

  @Override
  protected boolean shouldSwitchWriterInCurrentLocation(DecoratedKey key) {
    return false;
  }

  @Override
  public CompactionAwareWriter setRepairedAt(long repairedAt) {
    rewriters.values().forEach(rewriter -> rewriter.setRepairedAt(repairedAt));
    return super.setRepairedAt(repairedAt);
  }

  @Override
  protected void doPrepare() {
    rewriters.values().forEach(SSTableRewriter::prepareToCommit);
    super.doPrepare();
  }

  @Override
  protected @Nullable Throwable doCommit(@Nullable Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableRewriter rewriter : rewriters.values()) {
      failure = rewriter.commit(failure);
    }
    return super.doCommit(failure);
  }

  @Override
  protected @Nullable Throwable doAbort(@Nullable Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableRewriter rewriter : rewriters.values()) {
      failure = rewriter.abort(failure);
    }
    return super.doAbort(failure);
  }

  @Override
  protected @Nullable Throwable doPostCleanup(@Nullable Throwable accumulate) {
    rewriters.values().forEach(SSTableRewriter::close);
    return super.doPostCleanup(accumulate);
  }

  @Override
  Collection<SSTableReader> moreOutputs() {
    return rewriters.values().stream().flatMap(rewriter -> rewriter.finished().stream()).toList();
  }

  private record Output(int group, int disk) {}
}

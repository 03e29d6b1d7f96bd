package io.counterpart.cassandra.writer;

import static io.counterpart.cassandra.writer.FlushRouting.Outputs.RUNS;
import static io.counterpart.cassandra.writer.FlushRouting.Outputs.SEGMENT;
import static io.counterpart.cassandra.writer.FlushRouting.Outputs.UNDIVIDED;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.ring.RingSnapshot;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the writers of a table's flushes and streams. A flush that fills a run for each group
 * writes runs, up to a number of open outputs; any other flush writes a segment. A stream always
 * writes a segment: it covers a few groups, and dozens of streams may arrive at once. Thread-safe.
 */
public final class FlushWriters {
  private static final Logger logger = LoggerFactory.getLogger(FlushWriters.class);

  private final ColumnFamilyStore cfs;
  private final DecoupledOptions options;
  private final TableCounters counters;
  private final RecentFlushes recent = new RecentFlushes();

  public FlushWriters(ColumnFamilyStore cfs, DecoupledOptions options, TableCounters counters) {
    this.cfs = cfs;
    this.options = options;
    this.counters = counters;
  }

  /** The flushes that these writers have written. */
  public RecentFlushes recent() {
    return recent;
  }

  /**
   * A writer for one flush or stream.
   *
   * @param isUndivided whether all of it goes to one file, since the table is small, by the bytes
   *     that come to the table; those of a stream are not known
   */
  public SSTableMultiWriter open(WriterSpec spec, RingSnapshot ring, LongPredicate isUndivided) {
    boolean undivided =
        isUndivided.test(spec.commitLogPositions() == null ? 0 : FlushedMemtable.bytesOnDisk(cfs));
    return spec.isFlush() ? ofFlush(spec, ring, undivided) : ofStream(spec, ring, undivided);
  }

  private SSTableMultiWriter ofStream(WriterSpec spec, RingSnapshot ring, boolean undivided) {
    int directories = cfs.getDiskBoundaries().directories.size();
    return new RoutingMultiWriter(
        spec,
        new FlushRouting(ring, options.mode(), undivided ? UNDIVIDED : SEGMENT),
        OutputKeys.ofStream(spec.keyCount(), directories),
        counters,
        recent);
  }

  private SSTableMultiWriter ofFlush(WriterSpec spec, RingSnapshot ring, boolean undivided) {
    RingSlice slice = RingSlice.of(cfs, ring, spec.descriptor());
    boolean runs = !undivided && options.mode() == Mode.DECOUPLED && writesRuns(spec, slice);
    FlushRouting.Outputs outputs = undivided ? UNDIVIDED : runs ? RUNS : SEGMENT;
    return new RoutingMultiWriter(
        spec,
        new FlushRouting(ring, options.mode(), outputs),
        OutputKeys.ofSpillByRank(inMemory(spec), spec.keyCount() - inMemory(spec), slice),
        counters,
        recent);
  }

  /** Partitions of a flush but for those of a store of primary copies. */
  private long inMemory(WriterSpec spec) {
    var positions = spec.commitLogPositions();
    return positions == null || !options.storesPrimaries()
        ? spec.keyCount()
        : Math.min(spec.keyCount(), FlushedMemtable.partitionsInMemory(cfs, positions));
  }

  private boolean writesRuns(WriterSpec spec, RingSlice slice) {
    // each data directory has a flush writer, and all of them write at once
    int directories = Math.max(1, cfs.getDiskBoundaries().directories.size());
    int most = OpenWriters.most(Runtime.getRuntime().maxMemory()) / directories;
    RunsAtFlush policy = new RunsAtFlush(options.splitTime(), options.minRunBytes(), most);
    int groups = slice.redundantGroups();
    if (policy.refuses(groups)) {
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          1,
          TimeUnit.HOURS,
          "{}.{}: split is flush, but {} range groups are more than the {} files that a flush may"
              + " write at once here: it writes segments",
          cfs.getKeyspaceName(),
          cfs.getTableName(),
          groups,
          most);
    }
    var positions = spec.commitLogPositions();
    double meanBytes = positions == null ? 0 : FlushedMemtable.meanPartitionBytes(cfs, positions);
    double redundantShare = slice.shareOf(slice.ring().redundantRanges());
    return policy.writesRuns(inMemory(spec) * meanBytes * redundantShare, groups);
  }
}

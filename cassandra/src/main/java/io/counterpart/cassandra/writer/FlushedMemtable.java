package io.counterpart.cassandra.writer;

import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.memtable.Memtable;

/** Estimates the size of a flush from its memtable. */
final class FlushedMemtable {
  private FlushedMemtable() {}

  /**
   * Mean size of the partitions on disk, in bytes: as they are in the memtable, compressed as well
   * as the table's sstables are. 0 where unknown, as for the first flush of a compressed table.
   *
   * @param positions of the flush, by which the memtable is found: several may be flushed at once
   */
  static double meanPartitionBytes(
      ColumnFamilyStore cfs, IntervalSet<CommitLogPosition> positions) {
    return flushed(cfs, positions)
        .map(
            memtable ->
                meanBytes(memtable.getLiveDataSize(), inMemory(memtable), compressionRatio(cfs)))
        .orElse(0.0);
  }

  /** Partitions that a flush takes from memory; many where it is not known. */
  static long partitionsInMemory(ColumnFamilyStore cfs, IntervalSet<CommitLogPosition> positions) {
    return flushed(cfs, positions).map(FlushedMemtable::inMemory).orElse(Long.MAX_VALUE);
  }

  private static Optional<Memtable> flushed(
      ColumnFamilyStore cfs, IntervalSet<CommitLogPosition> positions) {
    return cfs.getTracker().getView().flushingMemtables.stream()
        .filter(memtable -> positions.starts().contains(memtable.getCommitLogLowerBound()))
        .findFirst();
  }

  private static long inMemory(Memtable memtable) {
    return memtable instanceof StoreBacked backed
        ? backed.partitionsInMemory()
        : memtable.partitionCount();
  }

  /**
   * The mean from its parts.
   *
   * @param ratio compressed bytes by uncompressed ones; not above 0 where unknown
   */
  static double meanBytes(long liveBytes, long partitions, double ratio) {
    return partitions == 0 || ratio <= 0 ? 0 : ratio * liveBytes / partitions;
  }

  /**
   * What all memtables that are being flushed will take on disk: none of it is in an sstable yet.
   */
  static long bytesOnDisk(ColumnFamilyStore cfs) {
    long liveBytes = 0;
    for (Memtable memtable : cfs.getTracker().getView().flushingMemtables) {
      liveBytes += memtable.getLiveDataSize();
    }
    return bytesOnDisk(liveBytes, compressionRatio(cfs));
  }

  /**
   * Live bytes as they will be on disk; as they are where the ratio is unknown.
   *
   * @param ratio compressed bytes by uncompressed ones; not above 0 where unknown
   */
  static long bytesOnDisk(long liveBytes, double ratio) {
    return ratio > 0 ? Math.round(ratio * liveBytes) : liveBytes;
  }

  private static double compressionRatio(ColumnFamilyStore cfs) {
    return cfs.metadata().params.compression.isEnabled()
        ? cfs.metric.compressionRatio.getValue()
        : 1;
  }
}

package io.counterpart.cassandra.compaction;

import com.codahale.metrics.Counter;
import io.counterpart.cassandra.ring.RingSnapshot;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The one task of the two-layer log: merges its inputs and cuts the output at the range groups.
 * With segments as inputs it is the split, with wide primary files the first step into the primary
 * tree, with the runs of one group their merge, with mixed sstables the re-sort after a ring
 * change. Stale versions and purgeable tombstones are dropped on the way, as in every Cassandra
 * compaction: throttle, stop, and early open work unchanged.
 *
 * <p>Paper: DEPART §4.3 (splitting is also the garbage collection).
 */
final class AlignTask extends CompactionTask {
  private final RingSnapshot ring;
  private final long sstableBytes;
  private final Counter writtenBytes;

  AlignTask(
      ColumnFamilyStore cfs,
      LifecycleTransaction txn,
      long gcBefore,
      RingSnapshot ring,
      long sstableBytes,
      Counter writtenBytes) {
    super(cfs, txn, gcBefore);
    this.ring = ring;
    this.sstableBytes = sstableBytes;
    this.writtenBytes = writtenBytes;
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpiredSSTables) {
    return ring.view().isGroupedByReplicaList()
        ? new ReplicaListWriter(
            cfs, directories, txn, nonExpiredSSTables, ring, sstableBytes, writtenBytes)
        : new GroupAlignedWriter(
            cfs, directories, txn, nonExpiredSSTables, ring, sstableBytes, writtenBytes);
  }
}

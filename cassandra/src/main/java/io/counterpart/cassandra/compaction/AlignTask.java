package io.counterpart.cassandra.compaction;

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
  private final Alignment alignment;

  AlignTask(ColumnFamilyStore cfs, LifecycleTransaction txn, long gcBefore, Alignment alignment) {
    super(cfs, txn, gcBefore);
    this.alignment = alignment;
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpiredSSTables) {
    return alignment.ring().view().isGroupedByReplicaList()
        ? new ReplicaListWriter(cfs, directories, txn, nonExpiredSSTables, alignment)
        : new GroupAlignedWriter(cfs, directories, txn, nonExpiredSSTables, alignment);
  }
}

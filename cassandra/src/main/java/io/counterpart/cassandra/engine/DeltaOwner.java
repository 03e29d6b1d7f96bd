package io.counterpart.cassandra.engine;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.ShardBoundaries;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * Passes a stock memtable's requests on as those of the memtable around it, which the table knows.
 */
final class DeltaOwner implements Memtable.Owner {
  private final ColumnFamilyStore table;
  private final Memtable around;

  DeltaOwner(ColumnFamilyStore table, Memtable around) {
    this.table = table;
    this.around = around;
  }

  @Override
  public Future<CommitLogPosition> signalFlushRequired(
      Memtable delta, ColumnFamilyStore.FlushReason reason) {
    return table.signalFlushRequired(around, reason);
  }

  @Override
  public Memtable getCurrentMemtable() {
    return table.getCurrentMemtable();
  }

  @Override
  public Iterable<Memtable> getIndexMemtables() {
    return table.getIndexMemtables();
  }

  @Override
  public ShardBoundaries localRangeSplits(int shardCount) {
    return table.localRangeSplits(shardCount);
  }
}

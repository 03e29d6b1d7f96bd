package io.counterpart.cassandra.engine;

import java.lang.ref.WeakReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.ShardBoundaries;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * Passes a stock memtable's requests on as those of the memtable around it, which the table knows.
 */
final class DeltaOwner implements Memtable.Owner {
  private final Memtable.Owner table;

  /**
   * Weak, since a timer of {@code memtable_flush_period_in_ms} has this for the whole period, also
   * when both memtables are long flushed: it would keep all that was in them. While the delta takes
   * writes, the table has the memtable.
   */
  private final WeakReference<Memtable> around;

  DeltaOwner(Memtable.Owner table, Memtable around) {
    this.table = table;
    this.around = new WeakReference<>(around);
  }

  @Override
  public Future<CommitLogPosition> signalFlushRequired(
      Memtable delta, ColumnFamilyStore.FlushReason reason) {
    Memtable known = around.get();
    // one that is gone is flushed: the table knows neither, and waits for its flushes
    return table.signalFlushRequired(known == null ? delta : known, reason);
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

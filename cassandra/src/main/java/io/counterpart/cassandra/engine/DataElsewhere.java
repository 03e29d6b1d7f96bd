package io.counterpart.cassandra.engine;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Whether a partition may have data beside one memtable and the store that absorbs it. Data moves
 * from frozen stores and memtables to sstables, so sstables are asked last; what moves from there
 * to the store waits for the merge that asks.
 */
final class DataElsewhere {
  private final EngineTable table;
  private final EngineMemtable memtable;

  DataElsewhere(EngineTable table, EngineMemtable memtable) {
    this.table = table;
    this.memtable = memtable;
  }

  boolean has(DecoratedKey key) {
    return table.stores().hasFrozen() || isInMemtables(key) || isInSSTables(key);
  }

  private boolean isInMemtables(DecoratedKey key) {
    ColumnFamilyStore cfs = table.table();
    try (OpOrder.Group ignored = cfs.readOrdering.start()) {
      for (Memtable other : cfs.getTracker().getView().getAllMemtables()) {
        boolean holds =
            other instanceof EngineMemtable engine
                ? engine != memtable && engine.isInMemory(key)
                : other.rowIterator(key) != null;
        if (holds) {
          return true;
        }
      }
      return false;
    }
  }

  private boolean isInSSTables(DecoratedKey key) {
    try (ColumnFamilyStore.RefViewFragment live =
        table.table().selectAndReference(View.select(SSTableSet.LIVE, key))) {
      return live.sstables.stream().anyMatch(each -> each.mayContainAssumingKeyIsInRange(key));
    }
  }
}

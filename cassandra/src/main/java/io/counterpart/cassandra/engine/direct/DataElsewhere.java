package io.counterpart.cassandra.engine.direct;

import io.counterpart.cassandra.engine.store.OverlappingStores;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;

/**
 * Whether a partition may have data beside the store that absorbs it, or a read may have found some
 * that is in the store by now. Data moves from frozen stores and memtables to sstables, so sstables
 * are asked last; what moves from there to the store waits for the merge that asks.
 */
public final class DataElsewhere {
  private final ColumnFamilyStore table;
  private final OverlappingStores stores;
  private final DirectWrites own;
  private final @Nullable Memtable merged;

  /**
   * @param own those of the table's memtables on its present engine
   * @param merged the memtable that is merged now, whose data does not count; null for none
   */
  public DataElsewhere(
      ColumnFamilyStore table,
      OverlappingStores stores,
      DirectWrites own,
      @Nullable Memtable merged) {
    this.table = table;
    this.stores = stores;
    this.own = own;
    this.merged = merged;
  }

  public boolean has(DecoratedKey key) {
    return stores.hasMore() || isInMemtables(key) || isInSSTables(key) || !own.view().isSettled();
  }

  private boolean isInMemtables(DecoratedKey key) {
    try (OpOrder.Group ignored = table.readOrdering.start()) {
      for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
        if (memtable != merged && holds(memtable, key)) {
          return true;
        }
      }
      return false;
    }
  }

  /** One of another engine has stores of its own. */
  private boolean holds(Memtable memtable, DecoratedKey key) {
    return memtable instanceof DirectMemtable direct && direct.directPuts().isOf(own)
        ? direct.isInMemory(key)
        : memtable.rowIterator(key) != null;
  }

  private boolean isInSSTables(DecoratedKey key) {
    try (ColumnFamilyStore.RefViewFragment live =
        table.selectAndReference(View.select(SSTableSet.LIVE, key))) {
      return live.sstables.stream().anyMatch(each -> each.mayContainAssumingKeyIsInRange(key));
    }
  }
}

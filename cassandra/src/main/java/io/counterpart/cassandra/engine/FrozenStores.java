package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Stores that wait to be dropped. A compaction that began before the spill's sstables were live
 * does not know these, so it sees the older values that they hold in the frozen stores alone, and
 * keeps the deletions that hide them for as long as the stores are there. Thread-safe.
 */
final class FrozenStores {

  /** Stores, and inputs of the compactions that they wait for. */
  private record Waiting(List<Generation> stores, Set<SSTableReader> compacting) {}

  private final ColumnFamilyStore table;
  private final Generations stores;
  private final Set<Waiting> waiting = new HashSet<>();

  FrozenStores(ColumnFamilyStore table, Generations stores) {
    this.table = table;
    this.stores = stores;
  }

  /** Drops stores whose spill is live, now or when compactions that run now have ended. */
  void drop(List<Generation> frozen) {
    Set<SSTableReader> compacting = Set.copyOf(table.getTracker().getCompacting());
    // on a server later, since the caller's thread must not wait for it
    if (compacting.isEmpty() && !stores.isOnServer()) {
      stores.drop(frozen);
    } else {
      await(frozen, compacting);
    }
  }

  private void await(List<Generation> frozen, Set<SSTableReader> compacting) {
    frozen.forEach(Generation::markSpilled);
    synchronized (this) {
      waiting.add(new Waiting(frozen, compacting));
    }
  }

  /** The table has left its engine: no compaction sees the stores any more. */
  void dropAll() {
    Set<Waiting> all;
    synchronized (this) {
      all = Set.copyOf(waiting);
      waiting.clear();
    }
    all.forEach(each -> stores.drop(each.stores()));
  }

  /** Drops those that need not wait any more. */
  void dropDue() {
    Set<SSTableReader> compacting = table.getTracker().getCompacting();
    Set<Waiting> due = new HashSet<>();
    synchronized (this) {
      for (Waiting each : waiting) {
        if (each.compacting().stream().noneMatch(compacting::contains)) {
          due.add(each);
        }
      }
    }
    // until they are dropped, the end of the table finds them
    due.forEach(each -> stores.drop(each.stores()));
    synchronized (this) {
      waiting.removeAll(due);
    }
  }
}

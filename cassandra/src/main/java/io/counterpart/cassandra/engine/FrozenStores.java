package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.server.ServerWatch;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.engine.StoreAwayException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores that wait to be dropped. A compaction that began before the spill's sstables were live
 * does not know these, so it sees the older values that they hold in the frozen stores alone, and
 * keeps the deletions that hide them for as long as the stores are there. Thread-safe.
 */
final class FrozenStores {
  private static final Logger logger = LoggerFactory.getLogger(FrozenStores.class);

  /** Stores, and inputs of the compactions that they wait for. */
  private record Waiting(List<Generation> stores, Set<SSTableReader> compacting) {}

  private final ColumnFamilyStore table;
  private final Generations stores;
  private final ServerWatch server;
  private final Set<Waiting> waiting = new HashSet<>();

  FrozenStores(ColumnFamilyStore table, Generations stores, ServerWatch server) {
    this.table = table;
    this.stores = stores;
    this.server = server;
  }

  /** Drops stores whose spill is live, now or when compactions that run now have ended. */
  void drop(List<Generation> frozen) {
    Set<SSTableReader> compacting = Set.copyOf(table.getTracker().getCompacting());
    // not at once on a server, for which the caller's thread must not wait
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
    for (Waiting each : all) {
      try {
        stores.drop(each.stores());
      } catch (StoreAwayException e) {
        logger.error(
            "Stores of {} stay on their server, and are read at the next start: {}",
            table.metadata,
            e.getMessage());
      }
    }
  }

  /** Drops those that need not wait any more. */
  void dropDue() {
    if (server.isAway()) {
      return;
    }
    Set<SSTableReader> compacting = table.getTracker().getCompacting();
    Set<Waiting> due = new HashSet<>();
    synchronized (this) {
      for (Waiting each : waiting) {
        if (each.compacting().stream().noneMatch(compacting::contains)) {
          due.add(each);
        }
      }
      waiting.removeAll(due);
    }
    for (Waiting each : due) {
      try {
        stores.drop(each.stores());
      } catch (StoreAwayException e) {
        await(each.stores(), Set.of());
        server.note(e);
      }
    }
  }
}

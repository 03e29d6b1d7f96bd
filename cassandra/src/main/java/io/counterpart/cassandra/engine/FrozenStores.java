package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.engine.StoreException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores that wait to be dropped. A compaction that began before the spill's sstables were live
 * does not know these, so it sees the older values that they hold in the frozen stores alone, and
 * keeps the deletions that hide them for as long as the stores are there. No compaction outlives
 * the process, so a start does without the stores. Thread-safe.
 */
final class FrozenStores {
  private static final Logger logger = LoggerFactory.getLogger(FrozenStores.class);

  /** Stores, and inputs of the compactions that they wait for. */
  private record Waiting(List<Generation> stores, Set<SSTableReader> compacting) {

    boolean isAwaited(Set<SSTableReader> compactingNow) {
      return !Collections.disjoint(compacting, compactingNow);
    }
  }

  private final Supplier<Set<SSTableReader>> compactions;
  private final Generations stores;
  private final Set<Waiting> waiting = new HashSet<>();

  /**
   * @param compactions inputs of the table's compactions that run now
   */
  FrozenStores(Supplier<Set<SSTableReader>> compactions, Generations stores) {
    this.compactions = compactions;
    this.stores = stores;
  }

  /**
   * Drops stores whose spill is live, now or when compactions that run now have ended. If that
   * fails, as on a full disk, {@link #dropDue} tries again: no later spill takes them along.
   */
  void drop(List<Generation> frozen) {
    frozen.forEach(Generation::markSpilled);
    // on a server later: the caller's thread must not wait for it, and it may not be told yet how
    // far the commit log is in stores
    if (!stores.isOnServer()) {
      try {
        if (compactions.get().isEmpty()) {
          stores.drop(frozen);
          return;
        }
        frozen.forEach(Generation::retire);
      } catch (StoreException e) {
        logger.warn("Stores in {} that are in sstables are dropped later", stores.directory(), e);
      }
    }
    dropLater(frozen);
  }

  /** Drops stores whose spill is live with a later {@link #dropDue}. */
  void dropLater(List<Generation> frozen) {
    Set<SSTableReader> compacting = Set.copyOf(compactions.get());
    synchronized (this) {
      waiting.add(new Waiting(frozen, compacting));
    }
  }

  /** Whether a compaction runs that stores wait for. */
  synchronized boolean areAwaited() {
    Set<SSTableReader> compacting = compactions.get();
    return waiting.stream().anyMatch(each -> each.isAwaited(compacting));
  }

  /**
   * Drops all: no compaction needs the stores any more, or can see them.
   *
   * @throws StoreException if that cannot be recorded: they wait still
   */
  void dropAll() {
    Set<Waiting> all;
    synchronized (this) {
      all = Set.copyOf(waiting);
    }
    all.forEach(each -> stores.drop(each.stores()));
    synchronized (this) {
      waiting.removeAll(all);
    }
  }

  /** Drops those that need not wait any more; no start reads the others from now on. */
  void dropDue() {
    Set<SSTableReader> compacting = compactions.get();
    Set<Waiting> due = new HashSet<>();
    Set<Waiting> all;
    synchronized (this) {
      all = Set.copyOf(waiting);
      for (Waiting each : all) {
        if (!each.isAwaited(compacting)) {
          due.add(each);
        }
      }
    }
    all.forEach(each -> each.stores().forEach(Generation::retire));
    // until they are dropped, the end of the table finds them
    due.forEach(each -> stores.drop(each.stores()));
    synchronized (this) {
      waiting.removeAll(due);
    }
  }
}

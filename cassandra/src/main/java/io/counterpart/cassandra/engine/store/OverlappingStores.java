package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreClosedException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.cassandra.db.DecoratedKey;

/**
 * All stores that may have data which a deletion of their table hides: those of the engine that the
 * table is on, and those of engines that it has left. The latter stay until the compactions have
 * ended that began before the sstables of the last spill were live. Such a compaction does not know
 * these sstables, so it would take a deletion for one that hides nothing. Thread-safe.
 */
public final class OverlappingStores {
  private final Generations own;
  private volatile List<Generations> others = List.of();

  public OverlappingStores(Generations own) {
    this.own = own;
  }

  /** Those of the engine. */
  public Generations own() {
    return own;
  }

  /** Changes which stores there are of other engines. */
  public void setOthers(List<Generations> now) {
    others = List.copyOf(now);
  }

  /** Whether there is data beside the store that absorbs. */
  public boolean hasMore() {
    return own.hasFrozen()
        || others.stream().anyMatch(each -> has(each, store -> !store.isEmpty()));
  }

  /** Whether a store may have data of a partition. */
  public boolean mayHave(DecoratedKey key) {
    Predicate<TableStore> test = store -> store.contains(key);
    return has(own, test) || others.stream().anyMatch(each -> has(each, test));
  }

  /**
   * Also where a server that is away does not say, or a store that is closed since the caller found
   * it: a deletion that may hide something stays.
   */
  private static boolean has(Generations stores, Predicate<TableStore> test) {
    try {
      return stores.any(test);
    } catch (StoreAwayException | StoreClosedException e) {
      return true;
    }
  }

  /** The minima of all. */
  public StoredState bounds() {
    return others.stream().map(Generations::bounds).reduce(own.bounds(), StoredState::plus);
  }
}

package io.counterpart.cassandra.engine.store;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Stores that are dropped and closed, until the last of those who began to read them before has
 * ended: a server would answer these that the store is gone. A kill in between has the next start
 * delete them. Thread-safe.
 */
final class DroppedStores {
  private final AdoptedStores adopted;
  private final Set<Generation> stores = new HashSet<>();

  /**
   * @param adopted whose folders go with the last store of them
   */
  DroppedStores(AdoptedStores adopted) {
    this.adopted = adopted;
  }

  /** Closes stores that are retired. */
  synchronized void add(List<Generation> dropped) {
    dropped.forEach(each -> each.store().close());
    stores.addAll(dropped);
  }

  /**
   * Deletes those without readers.
   *
   * @param others that the table has beside
   */
  synchronized void deleteReleased(Collection<Generation> others) {
    List<Generation> released = stores.stream().filter(Generation::isReleased).toList();
    if (!released.isEmpty()) {
      released.forEach(Generation::delete);
      stores.removeAll(Set.copyOf(released));
      Set<Generation> left = new HashSet<>(others);
      left.addAll(stores);
      adopted.deleteUnless(left);
    }
  }

  /** Deletes all: no reader is left, or none that gets an answer. */
  synchronized void deleteAll() {
    stores.forEach(Generation::delete);
    stores.clear();
    adopted.deleteFolders();
  }
}

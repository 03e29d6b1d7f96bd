package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvEngine;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stores of other engines that a table has, and their folders. Thread-safe. */
final class AdoptedStores {
  private final Set<Generation> stores = ConcurrentHashMap.newKeySet();
  private final Set<Path> folders = ConcurrentHashMap.newKeySet();

  void add(StoreFolder folder, List<Generation> found) {
    stores.addAll(found);
    folders.add(folder.path());
  }

  boolean has(Generation generation) {
    return stores.contains(generation);
  }

  Set<Path> folders() {
    return new HashSet<>(folders);
  }

  /** Deletes the folders if none of the stores is left. */
  void deleteUnless(Collection<Generation> left) {
    if (Collections.disjoint(stores, left)) {
      deleteFolders();
    }
  }

  void deleteFolders() {
    folders.forEach(KvEngine::deleteFiles);
    folders.clear();
  }
}

package io.counterpart.cassandra.engine.store;

import io.counterpart.cassandra.engine.store.files.StoreFolder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Stores of other engines that a table has, and their folders. Thread-safe. */
final class AdoptedStores {
  private final Set<Generation> stores = ConcurrentHashMap.newKeySet();
  private final Set<StoreFolder> folders = ConcurrentHashMap.newKeySet();

  void add(StoreFolder folder, List<Generation> found) {
    stores.addAll(found);
    folders.add(folder);
  }

  boolean has(Generation generation) {
    return stores.contains(generation);
  }

  Set<Path> folders() {
    return folders.stream().map(StoreFolder::path).collect(Collectors.toCollection(HashSet::new));
  }

  /** Deletes the folders if none of the stores is left. */
  void deleteUnless(Collection<Generation> left) {
    if (Collections.disjoint(stores, left)) {
      deleteFolders();
    }
  }

  /** Those that still have something go with the last of it. */
  void deleteFolders() {
    folders.forEach(StoreFolder::deleteIfUnused);
    folders.clear();
  }
}

package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.server.AwayServers;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.schema.TableMetadataRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores of a table that nobody has open: the node died before they were in sstables, or before
 * they were deleted.
 *
 * @param root where the table's folders are
 * @param open folders whose stores are open
 */
record LeftStores(TableMetadataRef table, Path root, Set<Path> open) {
  private static final Logger logger = LoggerFactory.getLogger(LeftStores.class);

  /** Folders with data. */
  List<StoreFolder> folders() {
    return StoreFolder.in(root).stream().filter(this::isLeft).toList();
  }

  private boolean isLeft(StoreFolder folder) {
    return !open.contains(folder.path());
  }

  /**
   * Has a table read what is left of other engines, and deletes what is elsewhere.
   *
   * @param away servers that are not asked once more
   * @throws StoreException if stores with data cannot be opened
   */
  void adoptBy(Generations stores, AwayServers away) {
    for (StoreFolder folder : folders()) {
      if (!folder.path().equals(stores.directory())) {
        logger.info("{} has stores of engine {} in {}", table, folder.engine(), folder.path());
        KvEngine engine = engineOf(folder);
        away.open(
            engine,
            () -> {
              stores.adopt(folder, engine);
              return folder;
            });
      }
    }
    removeRetired();
  }

  /** Deletes what is elsewhere. */
  void removeRetired() {
    try {
      StoreFolder.retiredIn(root).stream().filter(this::isLeft).forEach(this::remove);
    } catch (StoreException e) {
      logger.warn("Cannot delete what is left in {}", root, e);
    }
  }

  private void remove(StoreFolder folder) {
    Generation.removeRetired(folder, engineOf(folder), table);
    folder.deleteIfUnused();
  }

  /** The engine that cassandra.yaml has for stores of before. */
  private static KvEngine engineOf(StoreFolder folder) {
    for (String name : MemtableParams.knownDefinitions()) {
      if (MemtableParams.getWithFallback(name).factory() instanceof EngineFactory factory
          && factory.engine() != null
          && factory.parameters().engine().equals(folder.engine())
          && factory.engine().location().equals(folder.location())) {
        return factory.engine();
      }
    }
    throw new StoreException(
        "cassandra.yaml has no memtable configuration for engine %s at '%s', whose stores are in %s"
            .formatted(folder.engine(), folder.location(), folder.path()));
  }
}

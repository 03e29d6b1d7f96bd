package io.counterpart.cassandra.engine.flush;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a table's indexes again after stored rows have come into sstables by a flush of which an
 * index takes only what was in memory: as when a node died in CREATE INDEX and took the index for
 * built.
 */
public final class IndexRebuild {
  private static final Logger logger = LoggerFactory.getLogger(IndexRebuild.class);

  private static final long RETRY_SECONDS = 1;

  private IndexRebuild() {}

  /** Begins in the background; nothing if there are no indexes. */
  public static void of(ColumnFamilyStore table) {
    Set<String> names =
        table.indexManager.listIndexes().stream()
            .map(index -> index.getIndexMetadata().name)
            .collect(Collectors.toSet());
    if (!names.isEmpty()) {
      logger.info("Building the indexes {} of {} again", names, table.metadata);
      names.forEach(name -> CompletableFuture.runAsync(() -> build(table, name)));
    }
  }

  /** Builds an index once no other build of it runs, which may have begun before the flush. */
  private static void build(ColumnFamilyStore table, String name) {
    if (isDropped(table, name)) {
      return;
    }
    if (table.indexManager.isIndexBuilding(name)) {
      CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS)
          .execute(() -> build(table, name));
      return;
    }
    try {
      table.indexManager.rebuildIndexesBlocking(Set.of(name));
    } catch (RuntimeException e) {
      if (table.indexManager.isIndexBuilding(name)) {
        build(table, name); // another build began in between
      } else if (!isDropped(table, name)) {
        logger.error(
            "Cannot build the index {} of {}: run nodetool rebuild_index", name, table.metadata, e);
      }
    }
  }

  private static boolean isDropped(ColumnFamilyStore table, String name) {
    return !table.isValid()
        || !table.keyspace.hasColumnFamilyStore(table.metadata.id)
        || table.indexManager.getIndexByName(name) == null;
  }
}

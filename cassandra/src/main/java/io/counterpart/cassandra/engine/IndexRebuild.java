package io.counterpart.cassandra.engine;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a table's indexes again after stored rows have come into sstables by a flush of which an
 * index takes only what was in memory: as when a node died in CREATE INDEX and took the index for
 * built.
 */
final class IndexRebuild {
  private static final Logger logger = LoggerFactory.getLogger(IndexRebuild.class);

  private IndexRebuild() {}

  /** Begins in the background; nothing if there are no indexes. */
  static void of(ColumnFamilyStore table) {
    Set<String> names =
        table.indexManager.listIndexes().stream()
            .map(index -> index.getIndexMetadata().name)
            .collect(Collectors.toSet());
    if (!names.isEmpty()) {
      logger.info("Building the indexes {} of {} again", names, table.metadata);
      CompletableFuture.runAsync(() -> table.indexManager.rebuildIndexesBlocking(names))
          .exceptionally(
              failure -> {
                logger.error(
                    "Cannot build the indexes {} of {}: run nodetool rebuild_index",
                    names,
                    table.metadata,
                    failure);
                return null;
              });
    }
  }
}

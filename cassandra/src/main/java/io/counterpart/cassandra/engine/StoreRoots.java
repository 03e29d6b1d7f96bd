package io.counterpart.cassandra.engine;

import io.counterpart.engine.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.jspecify.annotations.Nullable;

/** Where a table's folders of stores are. */
final class StoreRoots {
  private static final String IN_TABLE = "engine";

  private StoreRoots() {}

  /**
   * @throws StoreException if there are stores in several places
   */
  static Path of(ColumnFamilyStore table, @Nullable Path directory) {
    return directory == null
        ? inDataDirectories(table)
        : directory
            .resolve(table.metadata.keyspace)
            .resolve(table.metadata.name + "-" + table.metadata.id.toHexString());
  }

  /** Where the stores are already, whatever the order of the data directories; else the first. */
  private static Path inDataDirectories(ColumnFamilyStore table) {
    List<Path> possible =
        table.getDirectories().getCFDirectories().stream()
            .map(directory -> directory.toPath().resolve(IN_TABLE))
            .toList();
    List<Path> existing = possible.stream().filter(Files::exists).toList();
    if (existing.size() > 1) {
      throw new StoreException("stores of " + table.metadata + " in several places: " + existing);
    }
    return existing.isEmpty() ? possible.get(0) : existing.get(0);
  }
}

package io.counterpart.cassandra.engine;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.counterpart.engine.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.MemtableParams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a table's folders of stores are. */
final class StoreRoots {
  private static final Logger logger = LoggerFactory.getLogger(StoreRoots.class);
  private static final String IN_TABLE = "engine";

  /** Of the configurations in cassandra.yaml, which is read once; empty for tables' own. */
  private static final Supplier<Set<Optional<Path>>> DIRECTORIES =
      Suppliers.memoize(StoreRoots::configured);

  private StoreRoots() {}

  /**
   * Where folders of a table may be, the given place first: the table may come from any
   * configuration.
   *
   * @throws StoreException if there are stores in several places
   */
  static List<Path> all(ColumnFamilyStore table, @Nullable Path directory) {
    Set<Path> roots = new LinkedHashSet<>();
    roots.add(of(table, directory));
    DIRECTORIES.get().forEach(other -> roots.add(of(table, other.orElse(null))));
    return List.copyOf(roots);
  }

  private static Set<Optional<Path>> configured() {
    Set<Optional<Path>> directories = new LinkedHashSet<>();
    for (String name : MemtableParams.knownDefinitions()) {
      try {
        if (MemtableParams.get(name).factory() instanceof EngineFactory factory) {
          directories.add(Optional.ofNullable(factory.parameters().directory()));
        }
      } catch (ConfigurationException e) {
        logger.debug("memtable configuration {} is of no use", name, e); // a table's user is told
      }
    }
    return directories;
  }

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

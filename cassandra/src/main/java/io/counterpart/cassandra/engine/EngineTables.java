package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.store.TableStore;
import io.counterpart.engine.KvStoreProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process' factories and open stores. A store is opened once, whatever asks for it, since two
 * environments on one file would destroy it. Thread-safe.
 */
final class EngineTables implements SchemaChangeListener {
  /** Cassandra makes factories and memtables itself, so what they share has nowhere else to be. */
  static final EngineTables SHARED = new EngineTables();

  private static final Logger LOG = LoggerFactory.getLogger(EngineTables.class);
  private static final String IN_TABLE = "engine";

  private record Opened(TableId table, EngineParameters parameters) {}

  private final Map<EngineParameters, EngineFactory> factories = new HashMap<>();
  private final Map<Opened, EngineTable> tables = new HashMap<>();
  private boolean listening;

  private EngineTables() {}

  /**
   * @throws ConfigurationException if the class path has no such engine
   */
  synchronized EngineFactory factory(EngineParameters parameters) {
    EngineFactory known = factories.get(parameters);
    if (known != null) {
      return known;
    }
    KvStoreProvider provider;
    try {
      provider = KvStoreProvider.named(parameters.engine(), EngineTables.class.getClassLoader());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage(), e);
    }
    EngineFactory made = new EngineFactory(parameters, provider);
    factories.put(parameters, made);
    return made;
  }

  /** The table's store, opened if it is not. */
  synchronized EngineTable open(
      ColumnFamilyStore table, EngineParameters parameters, KvStoreProvider provider) {
    if (!listening) {
      listening = true;
      Schema.instance.registerListener(this);
    }
    Opened key = new Opened(table.metadata.id, parameters);
    EngineTable known = tables.get(key);
    if (known != null) {
      return known;
    }
    Path directory = directory(table, parameters);
    EngineTable opened =
        new EngineTable(table, new TableStore(provider.open(directory), table.metadata), directory);
    tables.put(key, opened);
    LOG.info(
        "{} is on engine {} in {}: {}",
        table.metadata,
        parameters.engine(),
        directory,
        opened.store().state());
    return opened;
  }

  private static Path directory(ColumnFamilyStore table, EngineParameters parameters) {
    Path root = parameters.directory();
    return root == null
        ? table.getDirectories().getCFDirectories().get(0).toPath().resolve(IN_TABLE)
        : root.resolve(table.metadata.keyspace)
            .resolve(table.metadata.name + "-" + table.metadata.id.toHexString());
  }

  /**
   * Closes and deletes the store of a table that has left its engine, if nobody has it open again.
   */
  synchronized void removeUnlessReopened(EngineTable left, FlushTurn lastTurn) {
    if (left.isLatest(lastTurn)) {
      tables.values().remove(left);
      left.delete();
    }
  }

  @Override
  public synchronized void onDropTable(TableMetadata dropped, boolean dropData) {
    Iterator<Map.Entry<Opened, EngineTable>> entries = tables.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Opened, EngineTable> entry = entries.next();
      if (entry.getKey().table().equals(dropped.id)) {
        entries.remove();
        if (dropData) {
          entry.getValue().delete();
        } else {
          entry.getValue().close();
        }
      }
    }
  }
}

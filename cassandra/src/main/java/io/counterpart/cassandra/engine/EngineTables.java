package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.report.EngineReports;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
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

  private static final Logger logger = LoggerFactory.getLogger(EngineTables.class);
  private static final int TICK_SECONDS = 1;
  private static final String IN_TABLE = "engine";

  private record Opened(TableId table, EngineParameters parameters) {}

  private final Map<EngineParameters, EngineFactory> factories = new HashMap<>();
  private final Map<Opened, EngineTable> tables = new HashMap<>();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private final ExecutorPlus background =
      ExecutorFactory.Global.executorFactory().sequential("CounterpartEngines");

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
    EngineFactory made = new EngineFactory(parameters, engine(parameters));
    factories.put(parameters, made);
    return made;
  }

  private static KvEngine engine(EngineParameters parameters) {
    Map<String, String> options = new HashMap<>(parameters.options());
    try {
      KvEngine engine =
          KvStoreProvider.named(parameters.engine(), EngineTables.class.getClassLoader())
              .engine(options);
      if (!options.isEmpty()) {
        throw new ConfigurationException(
            "engine '%s' knows no parameter %s".formatted(parameters.engine(), options.keySet()));
      }
      return engine;
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage(), e);
    }
  }

  /** A memtable's place in its table, which is opened if it is not. */
  synchronized Place enter(ColumnFamilyStore table, EngineParameters parameters, KvEngine engine) {
    EngineTable opened = open(table, parameters, engine);
    return new Place(opened, opened.enter());
  }

  /**
   * A memtable's place.
   *
   * @param number higher than those of the table's memtables before it
   */
  record Place(EngineTable table, long number) {}

  private EngineTable open(ColumnFamilyStore table, EngineParameters parameters, KvEngine engine) {
    if (!listening) {
      listening = true;
      Schema.instance.registerListener(this);
      EngineReports.NODE.publish(this::reports);
      CounterpartKeyspace.register();
      ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
          this::submitTick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
    }
    Opened key = new Opened(table.metadata.id, parameters);
    EngineTable known = tables.get(key);
    if (known != null) {
      return known;
    }
    Path directory = directory(table, parameters);
    EngineTable opened =
        new EngineTable(
            table,
            Generations.open(
                directory, engine, table.metadata, SystemKeyspace.getOrInitializeLocalHostId()),
            parameters);
    tables.put(key, opened);
    logger.info(
        "{} is on engine {} in {}: {}",
        table.metadata,
        parameters.engine(),
        directory,
        opened.stores().states());
    if (DatabaseDescriptor.isIncrementalBackupsEnabled()) {
      logger.warn("incremental_backups has no copy of what {} keeps in stores", table.metadata);
    }
    return opened;
  }

  /** Background work takes long, so it has a thread of its own. */
  private void submitTick() {
    if (ticking.compareAndSet(false, true)) {
      background.execute(
          () -> {
            try {
              opened().forEach(EngineTable::tick);
            } finally {
              ticking.set(false);
            }
          });
    }
  }

  private synchronized List<EngineTable> opened() {
    return List.copyOf(tables.values());
  }

  private synchronized List<EngineReports.Table> reports() {
    return tables.entrySet().stream()
        .map(entry -> entry.getValue().report(entry.getKey().parameters().engine()))
        .toList();
  }

  private static Path directory(ColumnFamilyStore table, EngineParameters parameters) {
    Path root = parameters.directory();
    return root == null
        ? inDataDirectories(table)
        : root.resolve(table.metadata.keyspace)
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

  /** A memtable is gone; with the last one its table has left the engine. */
  synchronized void leave(EngineTable table) {
    if (!table.leave() || !tables.containsValue(table)) {
      return;
    }
    tables.values().remove(table);
    table.dropFrozen();
    boolean isEmpty = table.stores().isEmpty();
    if (!isEmpty) {
      logger.error(
          "{} has left its engine, but {} has data: it is kept",
          table.table().metadata,
          table.stores().directory());
    }
    table.close(isEmpty);
  }

  @Override
  public synchronized void onDropTable(TableMetadata dropped, boolean dropData) {
    Iterator<Map.Entry<Opened, EngineTable>> entries = tables.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Opened, EngineTable> entry = entries.next();
      if (entry.getKey().table().equals(dropped.id)) {
        entries.remove();
        entry.getValue().close(dropData);
      }
    }
  }
}

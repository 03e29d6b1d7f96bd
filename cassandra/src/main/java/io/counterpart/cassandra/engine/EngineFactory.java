package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.cold.ColdTables;
import io.counterpart.cassandra.engine.server.NodeFlushes;
import io.counterpart.cassandra.engine.server.ServerAtStart;
import io.counterpart.cassandra.engine.server.ServerReaders;
import io.counterpart.cassandra.options.StoreMemtables;
import io.counterpart.core.engine.WriteMode;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.TrieMemtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes memtables of one configuration: an {@link EngineMemtable} for an ordinary table, a stock
 * trie memtable for Cassandra's own tables, for indexes and for materialized views.
 *
 * <p>The engine {@code lsm} is Cassandra's own: its tables have stock memtables too, unless stores
 * of another engine are left, which then go to sstables.
 */
final class EngineFactory implements Memtable.Factory, StoreMemtables {
  private static final Logger logger = LoggerFactory.getLogger(EngineFactory.class);

  private final EngineParameters parameters;
  private final @Nullable KvEngine engine;
  private final Memtable.Factory stock = TrieMemtable.factory(new HashMap<>());

  /**
   * @param engine null for {@code lsm}
   * @throws ConfigurationException if the engine cannot have the mode
   */
  EngineFactory(EngineParameters parameters, @Nullable KvEngine engine) {
    if (engine != null && engine.isVolatile() && parameters.mode() == WriteMode.DIRECT) {
      throw new ConfigurationException(
          "parameter 'mode' is '%s': a store in memory alone takes buffered writes, which the commit"
                  .formatted(parameters.mode())
              + " log has until then");
    }
    this.parameters = parameters;
    this.engine = engine;
  }

  /**
   * The factory of a configuration.
   *
   * @param readers of all configurations
   * @throws ConfigurationException if the class path has no such engine, or it cannot have these
   *     parameters
   */
  static EngineFactory of(EngineParameters parameters, ServerReaders readers) {
    KvEngine engine = engine(parameters);
    if (engine != null) {
      engine.waitWhile(NodeFlushes::mayWait);
      readers.limit(engine);
    }
    return new EngineFactory(parameters, engine);
  }

  private static @Nullable KvEngine engine(EngineParameters parameters) {
    if (parameters.engine().equals(EngineParameters.LSM)) {
      if (!parameters.options().isEmpty()) {
        throw new ConfigurationException(
            "engine 'lsm' knows no parameter " + parameters.options().keySet());
      }
      return null;
    }
    Map<String, String> options = new HashMap<>(parameters.options());
    try {
      KvEngine engine =
          KvStoreProvider.named(parameters.engine(), EngineFactory.class.getClassLoader())
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

  EngineParameters parameters() {
    return parameters;
  }

  @Nullable KvEngine engine() {
    return engine;
  }

  /** Whether tables have no store to absorb. */
  boolean isLsm() {
    return engine == null;
  }

  Identity identity() {
    return new Identity(
        parameters.engine(), engine == null ? "" : engine.location(), parameters.directory());
  }

  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> lowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    if (!(owner instanceof ColumnFamilyStore table)
        || !table.isValid()
        || !isServed(metadata.get())
        || isLsm() && !EngineTables.SHARED.hasStores(table, this) && !isCold(table)) {
      return stock.create(lowerBound, metadata, owner);
    }
    boolean mayLackData =
        table.getTracker() == null
            && (ServerAtStart.isStarting() || EngineTables.SHARED.hasStores(table, this));
    EngineTables.Place place;
    try {
      place = EngineTables.SHARED.enter(table, this);
    } catch (StoreException | LinkageError e) {
      // the latter where an engine's native library, or a class of its jar, is missing
      if (mayLackData) {
        // what is in the store would be missing. Without a new table Cassandra would have half a
        // schema, acknowledge the table's writes, and drop them
        throw e;
      }
      logger.error(
          "Cannot open a store for {}: it stays on sstables; the next flush tries again",
          metadata,
          e);
      return stock.create(lowerBound, metadata, owner);
    }
    return new EngineMemtable(lowerBound, table, place, this);
  }

  /** Whether reads must be refused, which a stock memtable cannot do. */
  private static boolean isCold(ColumnFamilyStore table) {
    return ColdTables.NODE.has(table.metadata.id);
  }

  /** What an engine's memtable keeps in memory. */
  Memtable delta(
      AtomicReference<CommitLogPosition> lowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    return stock.create(lowerBound, metadata, owner);
  }

  private static boolean isServed(TableMetadata table) {
    return !table.isIndex() && !table.isView() && !SchemaConstants.isSystemKeyspace(table.keyspace);
  }

  @Override
  public TableMetrics.@Nullable ReleasableMetric createMemtableMetrics(TableMetadataRef metadata) {
    return stock.createMemtableMetrics(metadata);
  }

  /**
   * What tells two configurations apart as to where data is: with the same identity they share
   * stores.
   *
   * @param engine name
   * @param location as {@code KvEngine.location}; empty in the engine {@code lsm}
   * @param directory of all stores; null for the tables' own data directories
   */
  record Identity(String engine, String location, @Nullable Path directory) {}
}

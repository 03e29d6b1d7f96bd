package io.counterpart.cassandra.engine;

import io.counterpart.engine.KvEngine;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.TrieMemtable;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;

/**
 * Makes memtables of one configuration: an {@link EngineMemtable} for an ordinary table, a stock
 * trie memtable for Cassandra's own tables, for indexes and for materialized views. Equal factories
 * are the same, since a table whose factory changes leaves its engine.
 */
final class EngineFactory implements Memtable.Factory {
  private final EngineParameters parameters;
  private final KvEngine engine;
  private final Memtable.Factory stock = TrieMemtable.factory(new HashMap<>());

  EngineFactory(EngineParameters parameters, KvEngine engine) {
    this.parameters = parameters;
    this.engine = engine;
  }

  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> lowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    if (!(owner instanceof ColumnFamilyStore table)
        || !table.isValid()
        || !isServed(metadata.get())) {
      return stock.create(lowerBound, metadata, owner);
    }
    EngineTables.Place place = EngineTables.SHARED.enter(table, parameters, engine);
    return new EngineMemtable(lowerBound, table, place, this);
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
}

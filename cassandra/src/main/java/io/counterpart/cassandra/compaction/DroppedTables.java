package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.report.TableGauges;
import io.counterpart.cassandra.ring.TableRing;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;

/**
 * Removes this process' state of tables that were dropped or are no longer decoupled: metrics, and
 * rings of keyspaces. Cassandra calls it after the tables themselves have changed. Thread-safe.
 */
final class DroppedTables implements SchemaChangeListener {
  /** Loaded, and so registered, once. */
  private static final class Registered {
    static final DroppedTables LISTENER = register();

    private static DroppedTables register() {
      DroppedTables listener = new DroppedTables();
      Schema.instance.registerListener(listener);
      return listener;
    }
  }

  DroppedTables() {}

  /** Watches the schema from now on; further calls do nothing. */
  static DroppedTables watch() {
    return Registered.LISTENER;
  }

  @Override
  public void onDropTable(TableMetadata table, boolean dropData) {
    forget(table);
  }

  @Override
  public void onDropView(ViewMetadata view, boolean dropData) {
    forget(view.metadata);
  }

  @Override
  public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectsStatistics) {
    if (isDecoupled(before) && !isDecoupled(after)) {
      forget(before);
    }
    before.indexes.stream()
        .filter(index -> !after.indexes.has(index.name))
        .forEach(index -> forgetIndex(before, index));
  }

  @Override
  public void onAlterView(ViewMetadata before, ViewMetadata after, boolean affectsStatistics) {
    onAlterTable(before.metadata, after.metadata, affectsStatistics);
  }

  @Override
  public void onDropKeyspace(KeyspaceMetadata keyspace, boolean dropData) {
    TableRing.forget(keyspace.name);
  }

  private static boolean isDecoupled(TableMetadata table) {
    return table.params.compaction.klass() == DecoupledCompactionStrategy.class;
  }

  private static void forget(TableMetadata table) {
    TableCounters.remove(table.keyspace, table.name);
    TableGauges.remove(table.keyspace, table.name);
    table.indexes.forEach(index -> forgetIndex(table, index));
  }

  /** A legacy index is a table of its own. */
  private static void forgetIndex(TableMetadata table, IndexMetadata index) {
    TableCounters.remove(table.keyspace, table.indexTableName(index));
  }
}

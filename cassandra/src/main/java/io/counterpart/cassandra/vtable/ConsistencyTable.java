package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.ConsistencyReports;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/**
 * {@code counterpart.consistency}: the reads of each table by the reason of their level, with the
 * policy in force. A refused policy has a row of its own, and so have failures of the feature,
 * which belong to no table.
 */
final class ConsistencyTable extends AbstractVirtualTable {
  private static final String NONE = "-";

  ConsistencyTable() {
    super(
        CounterpartKeyspace.table(
                "consistency",
                "reads by the reason of their consistency level, policies, shadow reads")
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addClusteringColumn("table_name", UTF8Type.instance)
            .addClusteringColumn("reason", UTF8Type.instance)
            .addRegularColumn("reads", LongType.instance)
            .addRegularColumn("mode", UTF8Type.instance)
            .addRegularColumn("epsilon", DoubleType.instance)
            .addRegularColumn("floor", UTF8Type.instance)
            .addRegularColumn("window_ms", LongType.instance)
            .addRegularColumn("read_repair_chance", DoubleType.instance)
            .addRegularColumn("read_repairs", LongType.instance)
            .addRegularColumn("refused", UTF8Type.instance)
            .addRegularColumn("shadow_reads", LongType.instance)
            .addRegularColumn("stale_shadow_reads", LongType.instance)
            .addRegularColumn("freezes", LongType.instance)
            .addRegularColumn("frozen", BooleanType.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    ConsistencyReports.NODE
        .source()
        .ifPresent(
            source -> {
              source.decisions().forEach(table -> addRows(rows, table));
              rows.row(NONE, NONE, "plugin_failures").column("reads", source.node().failures());
              rows.row(NONE, NONE, "writes_left_out")
                  .column("reads", source.node().writesLeftOut());
            });
    return rows;
  }

  private static void addRows(SimpleDataSet rows, ConsistencyReports.Decisions table) {
    table
        .readsByReason()
        .forEach(
            (reason, reads) -> {
              rows.row(table.keyspace(), table.table(), reason).column("reads", reads);
              addPolicy(rows, table);
            });
    boolean refused = !table.policy().refused().isEmpty();
    if (refused || table.readsByReason().isEmpty()) {
      rows.row(table.keyspace(), table.table(), refused ? "policy_refused" : "no_reads")
          .column("reads", 0L);
      addPolicy(rows, table);
    }
  }

  private static void addPolicy(SimpleDataSet rows, ConsistencyReports.Decisions table) {
    ConsistencyReports.Policy policy = table.policy();
    rows.column("mode", policy.mode())
        .column("epsilon", policy.epsilon())
        .column("floor", policy.floor())
        .column("read_repair_chance", policy.readRepairChance())
        .column("read_repairs", table.repairs())
        .column("refused", policy.refused())
        .column("shadow_reads", table.shadows().done())
        .column("stale_shadow_reads", table.shadows().stale())
        .column("freezes", table.shadows().freezes())
        .column("frozen", table.shadows().frozen());
    policy.windowMillis().ifPresent(window -> rows.column("window_ms", window));
  }
}

package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.DecoupledTable;
import io.counterpart.cassandra.report.TableReport;
import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.RunPolicy;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.schema.TableMetadata;

/**
 * {@code counterpart.tables}: a row for each decoupled table, with bytes by role and their cost.
 */
final class TablesTable extends AbstractVirtualTable {

  TablesTable() {
    super(metadataBuilder().build());
  }

  private static TableMetadata.Builder metadataBuilder() {
    return CounterpartKeyspace.table(
            "tables", "decoupled tables of this node: bytes by role, backlog, write amplification")
        .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
        .addClusteringColumn("table_name", UTF8Type.instance)
        .addRegularColumn("mode", UTF8Type.instance)
        .addRegularColumn("max_runs", UTF8Type.instance)
        .addRegularColumn("range_groups", Int32Type.instance)
        .addRegularColumn("scattered_groups", BooleanType.instance)
        .addRegularColumn("primary_bytes", LongType.instance)
        .addRegularColumn("primary_sstables", Int32Type.instance)
        .addRegularColumn("wide_primary_bytes", LongType.instance)
        .addRegularColumn("segment_bytes", LongType.instance)
        .addRegularColumn("segments", Int32Type.instance)
        .addRegularColumn("run_bytes", LongType.instance)
        .addRegularColumn("runs", Int32Type.instance)
        .addRegularColumn("mixed_bytes", LongType.instance)
        .addRegularColumn("foreign_bytes", LongType.instance)
        .addRegularColumn("other_format_sstables", Int32Type.instance)
        .addRegularColumn("backlog", Int32Type.instance)
        .addRegularColumn("primary_write_amplification", DoubleType.instance)
        .addRegularColumn("redundant_write_amplification", DoubleType.instance)
        .addRegularColumn("zero_copy_share", DoubleType.instance);
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    DecoupledTable.reports().forEach(report -> addRow(rows, report));
    return rows;
  }

  private static void addRow(SimpleDataSet rows, TableReport report) {
    boolean unlimited = report.maxRuns() == RunPolicy.UNLIMITED;
    rows.row(report.keyspace(), report.table())
        .column("mode", report.mode())
        .column("max_runs", unlimited ? "unlimited" : Integer.toString(report.maxRuns()))
        .column("range_groups", report.groups().size())
        .column("scattered_groups", report.scatteredGroups())
        .column("primary_bytes", report.bytes(Role.PRIMARY))
        .column("primary_sstables", report.withRole(Role.PRIMARY).size())
        .column("wide_primary_bytes", report.bytes(Role.WIDE_PRIMARY))
        .column("segment_bytes", report.bytes(Role.SEGMENT))
        .column("segments", report.withRole(Role.SEGMENT).size())
        .column("run_bytes", report.bytes(Role.RUN))
        .column("runs", report.withRole(Role.RUN).size())
        .column("mixed_bytes", report.bytes(Role.MIXED))
        .column("foreign_bytes", report.bytes(Role.FOREIGN))
        .column("other_format_sstables", report.otherFormatSstables())
        .column("backlog", report.backlog())
        .column("primary_write_amplification", report.written().primaryWriteAmplification())
        .column("redundant_write_amplification", report.written().redundantWriteAmplification())
        .column("zero_copy_share", report.zeroCopyShare());
  }
}

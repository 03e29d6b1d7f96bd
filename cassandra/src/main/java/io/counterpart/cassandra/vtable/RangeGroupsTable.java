package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.DecoupledTable;
import io.counterpart.cassandra.report.RangeGroupReport;
import io.counterpart.cassandra.report.SSTableReport;
import io.counterpart.cassandra.report.TableReport;
import java.util.List;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** {@code counterpart.range_groups}: a row for each range group that this node holds. */
final class RangeGroupsTable extends AbstractVirtualTable {

  RangeGroupsTable() {
    super(
        CounterpartKeyspace.table(
                "range_groups", "range groups of decoupled tables: replica index, sstables, bytes")
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addClusteringColumn("table_name", UTF8Type.instance)
            .addClusteringColumn("group_id", Int32Type.instance)
            .addRegularColumn("role", UTF8Type.instance)
            .addRegularColumn("replica_index", Int32Type.instance)
            .addRegularColumn("arcs", Int32Type.instance)
            .addRegularColumn("start_token", UTF8Type.instance)
            .addRegularColumn("end_token", UTF8Type.instance)
            .addRegularColumn("sstables", Int32Type.instance)
            .addRegularColumn("bytes", LongType.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    for (TableReport report : DecoupledTable.reports()) {
      report.groups().forEach(group -> addRow(rows, report, group));
    }
    return rows;
  }

  private static void addRow(SimpleDataSet rows, TableReport report, RangeGroupReport group) {
    List<SSTableReport> sstables =
        report.sstables().stream().filter(sstable -> sstable.group() == group.group()).toList();
    rows.row(report.keyspace(), report.table(), group.group())
        .column("role", group.replicaIndex() == 0 ? "primary" : "redundant")
        .column("replica_index", group.replicaIndex())
        .column("arcs", group.arcs())
        .column("start_token", group.startToken())
        .column("end_token", group.endToken())
        .column("sstables", sstables.size())
        .column("bytes", sstables.stream().mapToLong(SSTableReport::sizeBytes).sum());
  }
}

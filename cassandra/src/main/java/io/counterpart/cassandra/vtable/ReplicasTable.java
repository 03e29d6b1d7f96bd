package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.ReplicaReport;
import io.counterpart.cassandra.report.ReplicaReporter;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/**
 * {@code counterpart.replicas}: a row for each node that this one reads from, and for points and
 * ranges: score, state, the last switches. Empty unless the snitch is {@code PrimaryFirstSnitch}.
 */
final class ReplicasTable extends AbstractVirtualTable {

  ReplicasTable() {
    super(
        CounterpartKeyspace.table(
                "replicas", "nodes that this coordinator reads from: score, state, last switches")
            .addPartitionKeyColumn("endpoint", UTF8Type.instance)
            .addClusteringColumn("reads", UTF8Type.instance)
            .addRegularColumn("state", UTF8Type.instance)
            .addRegularColumn("lost_share", DoubleType.instance)
            .addRegularColumn("score_micros", DoubleType.instance)
            .addRegularColumn("mean_micros", DoubleType.instance)
            .addRegularColumn("least_micros", DoubleType.instance)
            .addRegularColumn("waiting", Int32Type.instance)
            .addRegularColumn("p95_micros", DoubleType.instance)
            .addRegularColumn("switches", ListType.getInstance(UTF8Type.instance, false))
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    ReplicaReporter.reports().forEach(report -> addRow(rows, report));
    return rows;
  }

  private static void addRow(SimpleDataSet rows, ReplicaReport report) {
    ReplicaReport.Score score = report.score();
    rows.row(report.endpoint(), report.reads())
        .column("state", report.state())
        .column("lost_share", report.lostShare())
        .column("score_micros", score.scoreMicros())
        .column("least_micros", score.leastMicros())
        .column("waiting", score.waiting())
        .column("p95_micros", score.hedgeMicros())
        .column("switches", report.switches());
    if (score.meanMicros() != null) {
      rows.column("mean_micros", score.meanMicros());
    }
  }
}

package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.ConsistencyReports;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/**
 * {@code counterpart.staleness}: the predicted probability that a read of R replicas misses a write
 * at W, by the time between, with bounds at 95 %. From the acknowledgements of the last 30 s.
 * {@code stale} is about reads that ask any R replicas, {@code worst} about reads that always ask
 * the R which are late together most often.
 */
final class StalenessTable extends AbstractVirtualTable {

  StalenessTable() {
    super(
        CounterpartKeyspace.table(
                "staleness",
                "predicted stale reads by R, W and the time since the write, with bounds")
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addClusteringColumn("table_name", UTF8Type.instance)
            .addClusteringColumn("replicas", UTF8Type.instance)
            .addClusteringColumn("r", Int32Type.instance)
            .addClusteringColumn("w", Int32Type.instance)
            .addClusteringColumn("after_ms", LongType.instance)
            .addRegularColumn("samples", LongType.instance)
            .addRegularColumn("stale", DoubleType.instance)
            .addRegularColumn("stale_low", DoubleType.instance)
            .addRegularColumn("stale_high", DoubleType.instance)
            .addRegularColumn("worst", DoubleType.instance)
            .addRegularColumn("worst_low", DoubleType.instance)
            .addRegularColumn("worst_high", DoubleType.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    ConsistencyReports.NODE
        .source()
        .ifPresent(source -> source.predictions().forEach(each -> addRow(rows, each)));
    return rows;
  }

  private static void addRow(SimpleDataSet rows, ConsistencyReports.Prediction prediction) {
    ConsistencyReports.ReplicaSet set = prediction.set();
    ConsistencyReports.Case when = prediction.when();
    rows.row(
            set.keyspace(),
            set.table(),
            set.replicas(),
            when.reads(),
            when.writes(),
            when.afterMillis())
        .column("samples", prediction.samples())
        .column("stale", prediction.any().predicted())
        .column("stale_low", prediction.any().low())
        .column("stale_high", prediction.any().high())
        .column("worst", prediction.worst().predicted())
        .column("worst_low", prediction.worst().low())
        .column("worst_high", prediction.worst().high());
  }
}

package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.TaskLog;
import io.counterpart.cassandra.report.TaskReport;
import java.util.Date;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/**
 * {@code counterpart.tasks}: a row for each background task of a decoupled table, all running ones
 * and the node's last 100 finished ones. The primary tree's own compactions are not among them.
 */
final class TasksTable extends AbstractVirtualTable {

  TasksTable() {
    super(
        CounterpartKeyspace.table(
                "tasks",
                "rewrites of decoupled tables, running and the last 100: what, why, how far")
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addClusteringColumn("table_name", UTF8Type.instance)
            .addClusteringColumn("started_at", TimestampType.instance)
            .addClusteringColumn("id", UTF8Type.instance)
            .addRegularColumn("kind", UTF8Type.instance)
            .addRegularColumn("reason", UTF8Type.instance)
            .addRegularColumn("state", UTF8Type.instance)
            .addRegularColumn("inputs", Int32Type.instance)
            .addRegularColumn("bytes", LongType.instance)
            .addRegularColumn("progress", DoubleType.instance)
            .addRegularColumn("duration_seconds", DoubleType.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    Map<String, Double> progress = progress();
    for (TaskReport task : TaskLog.NODE.tasks()) {
      rows.row(task.keyspace(), task.table(), new Date(task.startedMillis()), task.id())
          .column("kind", task.kind())
          .column("reason", task.reason())
          .column("state", task.state().name().toLowerCase(Locale.ROOT))
          .column("inputs", task.inputs())
          .column("bytes", task.inputBytes())
          .column("progress", done(task, progress))
          .column("duration_seconds", task.durationMillis() / 1000.0);
    }
    return rows;
  }

  /** Share of the input that has been read, from 0 to 1. */
  private static double done(TaskReport task, Map<String, Double> progress) {
    return task.state() == TaskReport.State.DONE ? 1 : progress.getOrDefault(task.id(), 0.0);
  }

  private static Map<String, Double> progress() {
    Map<String, Double> byId = new HashMap<>();
    for (CompactionInfo.Holder holder : CompactionManager.instance.active.getCompactions()) {
      CompactionInfo info = holder.getCompactionInfo();
      if (info.getTotal() > 0) {
        byId.put(
            info.getTaskId().toString(),
            Math.min(1, (double) info.getCompleted() / info.getTotal()));
      }
    }
    return byId;
  }
}

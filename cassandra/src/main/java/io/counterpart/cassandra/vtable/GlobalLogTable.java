package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.DecoupledTable;
import io.counterpart.cassandra.report.SSTableReport;
import io.counterpart.cassandra.report.TableReport;
import io.counterpart.core.ring.Role;
import java.util.Locale;
import java.util.Set;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.utils.Clock;

/**
 * {@code counterpart.global_log}: a row for each sstable that still spans range groups: segments of
 * the global log, wide primary files, mixed sstables.
 */
final class GlobalLogTable extends AbstractVirtualTable {
  private static final Set<Role> WIDE = Set.of(Role.SEGMENT, Role.WIDE_PRIMARY, Role.MIXED);

  GlobalLogTable() {
    super(
        CounterpartKeyspace.table(
                "global_log",
                "sstables of decoupled tables that wait to be cut at the range groups")
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addClusteringColumn("table_name", UTF8Type.instance)
            .addClusteringColumn("sstable", UTF8Type.instance)
            .addRegularColumn("role", UTF8Type.instance)
            .addRegularColumn("bytes", LongType.instance)
            .addRegularColumn("age_seconds", LongType.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    long nowMillis = Clock.Global.currentTimeMillis();
    for (TableReport report : DecoupledTable.reports()) {
      for (SSTableReport sstable : report.sstables()) {
        if (WIDE.contains(sstable.role())) {
          rows.row(report.keyspace(), report.table(), sstable.id())
              .column("role", sstable.role().name().toLowerCase(Locale.ROOT))
              .column("bytes", sstable.sizeBytes())
              .column("age_seconds", Math.max(0, nowMillis - sstable.createdMillis()) / 1000);
        }
      }
    }
    return rows;
  }
}

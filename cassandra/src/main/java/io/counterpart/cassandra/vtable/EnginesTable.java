package io.counterpart.cassandra.vtable;

import io.counterpart.cassandra.report.EngineReports;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** {@code counterpart.engines}: the tables that are on storage engines, with their stores. */
final class EnginesTable extends AbstractVirtualTable {
  EnginesTable() {
    super(
        CounterpartKeyspace.table("engines", "tables on storage engines and their stores")
            .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
            .addClusteringColumn("table_name", UTF8Type.instance)
            .addClusteringColumn("engine", UTF8Type.instance)
            .addRegularColumn("mode", UTF8Type.instance)
            .addRegularColumn("state", UTF8Type.instance)
            .addRegularColumn("directory", UTF8Type.instance)
            .addRegularColumn("stores", Int32Type.instance)
            .addRegularColumn("partitions", LongType.instance)
            .addRegularColumn("used_bytes", LongType.instance)
            .addRegularColumn("disk_bytes", LongType.instance)
            .addRegularColumn("hit_ratio", DoubleType.instance)
            .addRegularColumn("sstables", Int32Type.instance)
            .addRegularColumn("sstable_bytes", LongType.instance)
            .addRegularColumn("absorption", UTF8Type.instance)
            .addRegularColumn("unflushed_memtables", Int32Type.instance)
            .addRegularColumn("sweep", UTF8Type.instance)
            .build());
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    for (EngineReports.Table table : EngineReports.NODE.tables()) {
      EngineReports.Stores stores = table.stores();
      rows.row(table.keyspace(), table.table(), table.engine())
          .column("mode", table.mode())
          .column("state", table.state())
          .column("directory", stores.directory())
          .column("stores", stores.count())
          .column("partitions", stores.partitions())
          .column("used_bytes", stores.usedBytes())
          .column("disk_bytes", stores.diskBytes())
          .column("hit_ratio", Double.isNaN(stores.hitRatio()) ? null : stores.hitRatio())
          .column("sstables", table.sstables().count())
          .column("sstable_bytes", table.sstables().bytes())
          .column("absorption", table.sstables().state())
          .column("unflushed_memtables", table.unflushed())
          .column("sweep", table.sweep());
    }
    return rows;
  }
}

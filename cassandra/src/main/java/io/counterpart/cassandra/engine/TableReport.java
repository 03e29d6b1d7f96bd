package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.cold.ColdTables;
import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.StoreSizes;
import io.counterpart.cassandra.report.EngineReports;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.engine.StoreException;
import java.util.List;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** One table's line of the virtual table. */
final class TableReport {

  private static final String LEFT =
      "left: its data is in sstables; compactions that do not know these still run";

  private TableReport() {}

  /** Also where the store does not answer. */
  static EngineReports.Table of(EngineTable table, String engine) {
    ColumnFamilyStore cfs = table.table();
    try {
      FlushDecision next = table.nextRoutineFlush();
      return new EngineReports.Table(
          cfs.getKeyspaceName(),
          cfs.getTableName(),
          engine,
          table.direct().decision().reason(),
          state(table, next),
          stores(table.stores()),
          sstables(table, table.absorption()::state),
          table.unflushed(),
          table.sweep().decision().reason());
    } catch (StoreException e) {
      return new EngineReports.Table(
          cfs.getKeyspaceName(),
          cfs.getTableName(),
          engine,
          table.direct().decision().reason(),
          table.hasLeft()
              ? LEFT
              : (table.server().isAway() ? "bypassing: " : "failing: ") + e.getMessage(),
          new EngineReports.Stores(table.stores().directory().toString(), 0, 0, 0, 0, Double.NaN),
          sstables(table, belonging -> "the store fails"),
          table.unflushed(),
          table.sweep().decision().reason());
    }
  }

  private static String state(EngineTable table, FlushDecision next) {
    if (ColdTables.NODE.has(table.table().metadata.id)) {
      return "cold, reads fail here until it is rebuilt; " + stateOfStores(table, next);
    }
    return stateOfStores(table, next);
  }

  private static String stateOfStores(EngineTable table, FlushDecision next) {
    if (table.hasLeft()) {
      return LEFT;
    }
    String target =
        switch (next.target()) {
          case ABSORB -> "absorbing: ";
          case SPILL -> "spilling: ";
          case BYPASS -> "bypassing: ";
        };
    return target + next.reason();
  }

  private static EngineReports.SSTables sstables(
      EngineTable table, Function<List<SSTableReader>, String> state) {
    CopyShare share = table.copies().now();
    List<SSTableReader> live =
        table.table().getLiveSSTables().stream().filter(share::touches).toList();
    return new EngineReports.SSTables(
        live.size(), live.stream().mapToLong(SSTableReader::onDiskLength).sum(), state.apply(live));
  }

  private static EngineReports.Stores stores(Generations stores) {
    StoreSizes sizes = stores.sizes();
    return new EngineReports.Stores(
        stores.directory().toString(),
        sizes.stores(),
        sizes.partitions(),
        sizes.usedBytes(),
        sizes.diskBytes(),
        sizes.hitRatio());
  }
}

package io.counterpart.cassandra.report;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;

/** A strategy instance that can report on its part of a table. */
public interface DecoupledTable {

  /** The state at this moment. Thread-safe. */
  TableReport report();

  /** Reports of all decoupled tables of this node, one for each that has the strategy. */
  static List<TableReport> reports() {
    List<TableReport> reports = new ArrayList<>();
    for (Keyspace keyspace : Keyspace.nonLocalStrategy()) {
      for (ColumnFamilyStore cfs : keyspace.getColumnFamilyStores()) {
        List<TableReport> parts = reportOf(cfs);
        if (!parts.isEmpty()) {
          reports.add(TableReport.merged(parts));
        }
      }
    }
    return reports;
  }

  private static List<TableReport> reportOf(ColumnFamilyStore cfs) {
    return cfs.getCompactionStrategyManager().getStrategies().stream()
        .flatMap(List<AbstractCompactionStrategy>::stream)
        .filter(DecoupledTable.class::isInstance)
        .map(strategy -> ((DecoupledTable) strategy).report())
        .toList();
  }
}

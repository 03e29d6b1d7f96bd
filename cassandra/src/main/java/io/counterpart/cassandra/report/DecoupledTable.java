package io.counterpart.cassandra.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

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

  /** The report of one table; empty where it has no such strategy or is gone. */
  static Optional<TableReport> report(String keyspace, String table) {
    TableMetadata metadata = Schema.instance.getTableMetadata(keyspace, table);
    ColumnFamilyStore cfs = metadata == null ? null : ColumnFamilyStore.getIfExists(metadata.id);
    List<TableReport> parts = cfs == null ? List.of() : reportOf(cfs);
    return parts.isEmpty() ? Optional.empty() : Optional.of(TableReport.merged(parts));
  }

  private static List<TableReport> reportOf(ColumnFamilyStore cfs) {
    return cfs.getCompactionStrategyManager().getStrategies().stream()
        .flatMap(List<AbstractCompactionStrategy>::stream)
        .filter(DecoupledTable.class::isInstance)
        .map(strategy -> ((DecoupledTable) strategy).report())
        .toList();
  }
}

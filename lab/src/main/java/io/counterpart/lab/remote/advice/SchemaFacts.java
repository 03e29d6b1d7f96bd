package io.counterpart.lab.remote.advice;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.counterpart.lab.remote.SystemKeyspaces;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the schema says about a table.
 *
 * @param name {@code keyspace.table}
 * @param compaction simple name of its strategy's class
 * @param copies of each row, in the datacenter that has most
 * @param tie why it has to stay on sstables; empty if nothing ties it
 */
record SchemaFacts(String name, String compaction, int copies, String tie) {
  static final String SYSTEM = "it is a table of Cassandra's own";

  private static final CqlIdentifier COMPACTION = CqlIdentifier.fromInternal("compaction");

  /** The tables and views of a keyspace. */
  static Map<String, SchemaFacts> of(KeyspaceMetadata keyspace) {
    Map<String, SchemaFacts> facts = new TreeMap<>();
    int copies = copies(keyspace.getReplication());
    String prefix = keyspace.getName().asInternal() + ".";
    for (TableMetadata table : keyspace.getTables().values()) {
      String name = prefix + table.getName().asInternal();
      facts.put(name, new SchemaFacts(name, compaction(table), copies, tie(keyspace, table)));
    }
    for (CqlIdentifier view : keyspace.getViews().keySet()) {
      String name = prefix + view.asInternal();
      facts.put(
          name,
          new SchemaFacts(
              name, "", copies, "it is a materialized view, which engines do not support"));
    }
    return facts;
  }

  private static String tie(KeyspaceMetadata keyspace, TableMetadata table) {
    if (SystemKeyspaces.isOne(keyspace.getName().asInternal())) {
      return SYSTEM;
    }
    if (!table.getIndexes().isEmpty()) {
      return "it has an index, which engines do not support";
    }
    return keyspace.getViewsOnTable(table.getName()).isEmpty()
        ? ""
        : "it has a materialized view, which engines do not support";
  }

  private static String compaction(TableMetadata table) {
    Object options = table.getOptions().get(COMPACTION);
    String name = options instanceof Map<?, ?> map ? String.valueOf(map.get("class")) : "";
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Numbers of copies are the options whose values are numbers, but for quorums. */
  static int copies(Map<String, String> replication) {
    return replication.entrySet().stream()
        .filter(option -> !option.getKey().endsWith("_quorum"))
        .map(Map.Entry::getValue)
        // with transient copies 3/1
        .filter(value -> value.matches("\\d{1,4}(/\\d{1,4})?"))
        .mapToInt(value -> Integer.parseInt(value.replaceAll("/.*", "")))
        .max()
        .orElse(1);
  }

  boolean isDecoupled() {
    return compaction.equals("DecoupledCompactionStrategy");
  }
}

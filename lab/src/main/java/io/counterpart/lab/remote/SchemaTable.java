package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.RelationMetadata;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table or materialized view as the schema has it.
 *
 * @param maxGroups {@code max_range_groups} of a decoupled table, 0 of a stock one
 */
record SchemaTable(String keyspace, String table, Replication replication, int maxGroups) {
  private static final int DEFAULT_MAX_GROUPS = 256;
  private static final CqlIdentifier COMPACTION = CqlIdentifier.fromInternal("compaction");

  /** The tables of some keyspaces; keyspaces that are not replicated over the ring have none. */
  static List<SchemaTable> of(List<KeyspaceMetadata> keyspaces) {
    List<SchemaTable> tables = new ArrayList<>();
    for (KeyspaceMetadata keyspace : keyspaces) {
      Map<String, String> options = keyspace.getReplication();
      String strategy = String.valueOf(options.get("class"));
      if (strategy.endsWith("SimpleStrategy") || strategy.endsWith("NetworkTopologyStrategy")) {
        String name = keyspace.getName().asInternal();
        Replication replication = replication(name, options);
        List<RelationMetadata> relations = new ArrayList<>(keyspace.getTables().values());
        relations.addAll(keyspace.getViews().values());
        for (RelationMetadata relation : relations) {
          tables.add(
              new SchemaTable(
                  name, relation.getName().asInternal(), replication, maxGroups(relation)));
        }
      }
    }
    return List.copyOf(tables);
  }

  private static Replication replication(String keyspace, Map<String, String> options) {
    Map<String, Integer> copies = new TreeMap<>();
    options.forEach(
        (option, value) -> {
          if (!option.equals("class")) {
            copies.put(option, copies(keyspace, value));
          }
        });
    if (String.valueOf(options.get("class")).endsWith("SimpleStrategy")) {
      return new Replication.Simple(copies.getOrDefault("replication_factor", 1));
    }
    copies.values().removeIf(count -> count == 0);
    return new Replication.NetworkTopology(copies);
  }

  private static int copies(String keyspace, String value) {
    if (!value.matches("\\d{1,4}")) {
      throw new RunRefusedException(
          "keyspace %s: replication '%s' cannot be planned (transient replicas?)"
              .formatted(keyspace, value));
    }
    return Integer.parseInt(value);
  }

  private static int maxGroups(RelationMetadata relation) {
    if (!(relation.getOptions().get(COMPACTION) instanceof Map<?, ?> compaction)
        || !String.valueOf(compaction.get("class")).endsWith("DecoupledCompactionStrategy")
        || "uniform".equals(compaction.get("mode"))) {
      return 0;
    }
    Object asked = compaction.get("max_range_groups");
    return asked == null ? DEFAULT_MAX_GROUPS : Integer.parseInt(asked.toString());
  }
}

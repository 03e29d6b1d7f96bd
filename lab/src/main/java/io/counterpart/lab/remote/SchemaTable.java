package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.RelationMetadata;
import io.counterpart.core.ring.change.Replication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A table or materialized view as the schema has it.
 *
 * @param maxGroups {@code max_range_groups} of a decoupled table, 0 of a stock one
 */
record SchemaTable(String keyspace, String table, Replication replication, int maxGroups) {
  private static final int DEFAULT_MAX_GROUPS = 256;
  private static final CqlIdentifier COMPACTION = CqlIdentifier.fromInternal("compaction");

  /** The tables and views of a keyspace. */
  static List<SchemaTable> of(KeyspaceMetadata keyspace, Replication replication) {
    List<RelationMetadata> relations = new ArrayList<>(keyspace.getTables().values());
    relations.addAll(keyspace.getViews().values());
    List<SchemaTable> tables = new ArrayList<>();
    for (RelationMetadata relation : relations) {
      tables.add(
          new SchemaTable(
              keyspace.getName().asInternal(),
              relation.getName().asInternal(),
              replication,
              maxGroups(relation)));
    }
    return List.copyOf(tables);
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

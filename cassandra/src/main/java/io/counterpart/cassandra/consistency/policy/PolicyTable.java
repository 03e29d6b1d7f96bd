package io.counterpart.cassandra.consistency.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code counterpart_config.consistency}. An operator creates it ({@code docs/SELECTION.md});
 * no node does, since nodes of a rolling installation would create it at once and others would not
 * know why. Read every few seconds in the background, never for a request.
 */
public final class PolicyTable {
  public static final String KEYSPACE = "counterpart_config";
  public static final String TABLE = "consistency";
  private static final Logger logger = LoggerFactory.getLogger(PolicyTable.class);
  private static final String QUERY = "SELECT * FROM " + KEYSPACE + "." + TABLE;

  private final Policies policies;

  public PolicyTable(Policies policies) {
    this.policies = policies;
  }

  /**
   * Reads all policies; keeps the last ones if too few replicas of the table answer. At
   * LOCAL_QUORUM: a replica that missed the removal of a permission to lower must not bring it
   * back.
   */
  public void refresh() {
    if (!isOpen()) {
      policies.replace(List.of(), PolicyTable::exists);
      return;
    }
    try {
      List<Policies.Written> written = new ArrayList<>();
      UntypedResultSet rows = QueryProcessor.process(QUERY, ConsistencyLevel.LOCAL_QUORUM);
      for (UntypedResultSet.Row row : rows) {
        written.add(written(row));
      }
      policies.replace(written, PolicyTable::exists);
    } catch (RequestExecutionException e) {
      logger.debug("Policies of {}.{} could not be read; the last ones stay", KEYSPACE, TABLE, e);
    }
  }

  /** A new table is in the schema a moment before the node opens it: until then reads fail. */
  private static boolean isOpen() {
    TableMetadata table = Schema.instance.getTableMetadata(KEYSPACE, TABLE);
    Keyspace keyspace = Schema.instance.getKeyspaceInstance(KEYSPACE);
    return table != null && keyspace != null && keyspace.getIfExists(table.id) != null;
  }

  private static Policies.Written written(UntypedResultSet.Row row) {
    Map<String, String> options = new HashMap<>();
    for (ColumnSpecification column : row.getColumns()) {
      String name = column.name.toString();
      if (row.has(name) && !name.equals("keyspace_name") && !name.equals("table_name")) {
        options.put(name, column.type.getString(row.getBytes(name)));
      }
    }
    return new Policies.Written(
        new Policies.TableName(row.getString("keyspace_name"), row.getString("table_name")),
        options);
  }

  private static boolean exists(String keyspace, String table) {
    return Schema.instance.getTableMetadata(keyspace, table) != null;
  }
}

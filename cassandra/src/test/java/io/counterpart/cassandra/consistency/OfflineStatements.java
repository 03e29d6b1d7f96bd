package io.counterpart.cassandra.consistency;

import java.util.UUID;
import org.apache.cassandra.config.CassandraRelevantProperties;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;

/** Statements of CQL on tables of a node that does not run: they can be looked at, not executed. */
final class OfflineStatements {
  private static final String KEYSPACE = "offline_statements";

  private OfflineStatements() {}

  /** Makes Cassandra's classes usable, and the keyspace. */
  static void start() {
    CassandraRelevantProperties.FORCE_LOAD_LOCAL_KEYSPACES.setBoolean(true);
    DatabaseDescriptor.clientInitialization(false);
    if (DatabaseDescriptor.getPartitioner() == null) {
      DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    }
    keyspace(KEYSPACE);
  }

  /** Another keyspace. */
  static void keyspace(String name) {
    KeyspaceMetadata keyspace = KeyspaceMetadata.create(name, KeyspaceParams.simple(1));
    Schema.instance.transform(SchemaTransformations.addKeyspace(keyspace, true));
  }

  /** A table by its columns, such as {@code k int PRIMARY KEY, v int}. */
  static TableMetadata table(String name, String columns) {
    return table(KEYSPACE, name, columns);
  }

  /** The same in another keyspace. */
  static TableMetadata table(String keyspace, String name, String columns) {
    TableMetadata table =
        CreateTableStatement.parse("CREATE TABLE " + name + " (" + columns + ")", keyspace)
            .id(TableId.fromUUID(UUID.nameUUIDFromBytes(name.getBytes())))
            .build();
    Schema.instance.transform(SchemaTransformations.addTable(table, true));
    return table;
  }

  /** A statement whose tables have no keyspace. */
  static CQLStatement prepared(String cql) {
    ClientState client = ClientState.forInternalCalls(KEYSPACE);
    return QueryProcessor.getStatement(cql, client);
  }
}

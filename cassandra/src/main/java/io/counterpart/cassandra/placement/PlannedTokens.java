package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.engine.TokenPlan;
import io.counterpart.core.ring.change.TokenRing;
import org.apache.cassandra.cql3.statements.schema.AlterKeyspaceStatement;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.cql3.statements.schema.CreateKeyspaceStatement;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.ReplicationFactor;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.StorageService;

/**
 * Warns the client that has given a keyspace under NetworkTopologyStrategy a number of copies with
 * which the tokens of engine classes do not give all rows the same. Cassandra's own strategy takes
 * any.
 */
public final class PlannedTokens {

  private PlannedTokens() {}

  /** Looks at a keyspace that a statement has created or altered; at nothing else. */
  public static void look(AlterSchemaStatement statement) {
    if (statement instanceof CreateKeyspaceStatement
        || statement instanceof AlterKeyspaceStatement) {
      KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(statement.keyspace());
      if (keyspace != null
          && keyspace.params.replication.klass.equals(NetworkTopologyStrategy.class)) {
        warn(keyspace);
      }
    }
  }

  private static void warn(KeyspaceMetadata keyspace) {
    if (!(StorageService.instance.getTokenMetadata().partitioner instanceof Murmur3Partitioner)) {
      return;
    }
    // nodes may come and go meanwhile
    TokenMetadata now = StorageService.instance.getTokenMetadata().cloneOnlyTokenMap();
    TokenRing ring = MetadataRing.of(now, keyspace.name);
    keyspace.params.replication.options.forEach(
        (datacenter, copies) -> {
          int all = ReplicationFactor.fromString(copies).allReplicas;
          if (all > 0) {
            TokenPlan.warning(ring, datacenter, all).ifPresent(ClientWarn.instance::warn);
          }
        });
  }
}

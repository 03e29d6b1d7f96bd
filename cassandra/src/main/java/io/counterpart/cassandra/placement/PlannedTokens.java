package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.TokenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.cassandra.cql3.statements.schema.AlterKeyspaceStatement;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.cql3.statements.schema.CreateKeyspaceStatement;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.ReplicationFactor;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Pair;

/**
 * Warns the client that has given a keyspace under NetworkTopologyStrategy another number of copies
 * than the tokens of its engine classes are planned for. Cassandra's own strategy takes any.
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
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        keyspace.params.replication.options.forEach(
            (datacenter, copies) -> warn(ring, datacenter, copies));
      }
    }
  }

  private static void warn(TokenMetadata ring, String datacenter, String copies) {
    int all = ReplicationFactor.fromString(copies).allReplicas;
    if (all > 0) {
      TokenPlan.warning(datacenter, all, classes(ring, datacenter))
          .ifPresent(ClientWarn.instance::warn);
    }
  }

  /** Classes of a datacenter's tokens in their order; empty if some node's rack names none. */
  private static List<EngineClass> classes(TokenMetadata ring, String datacenter) {
    List<EngineClass> classes = new ArrayList<>();
    for (Token token : ring.sortedTokens()) {
      Pair<String, String> location = ring.getTopology().getLocation(ring.getEndpoint(token));
      // a node may leave meanwhile
      if (location != null && location.left.equals(datacenter)) {
        Optional<EngineClass> engine = EngineClass.named(location.right);
        if (engine.isEmpty()) {
          return List.of();
        }
        classes.add(engine.get());
      }
    }
    return classes;
  }
}

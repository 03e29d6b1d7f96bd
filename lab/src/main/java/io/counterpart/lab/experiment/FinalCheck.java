package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.ReadBack;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.PairClient;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Reads every row back after a recovery: at ALL where the recovered node holds a copy, so that its
 * copy takes part, and at QUORUM elsewhere.
 *
 * <p>A recovered copy that is absent or stale does not change the answer at ALL, but the replicas
 * then disagree: so disagreements are counted as well.
 */
final class FinalCheck {
  private static final String DISAGREEMENTS =
      "org.apache.cassandra.metrics:type=ReadRepair,name=RepairedBlocking";

  private final CqlSession session;
  private final ConnectedNodes nodes;

  FinalCheck(CqlSession session, ConnectedNodes nodes) {
    this.session = session;
    this.nodes = nodes;
  }

  /** What the check found. */
  record Outcome(CheckOutcome rows, long disagreements) {}

  /** Checks all rows of a client; {@code recovered} is the node that was wiped. */
  Outcome run(
      PairClient client,
      String keyspace,
      io.counterpart.cluster.Node recovered,
      LongConsumer progress) {
    long before = disagreements();
    CheckOutcome rows =
        ReadBack.of(client, key -> level(keyspace, key, recovered.address()), progress);
    return new Outcome(rows, disagreements() - before);
  }

  private ConsistencyLevel level(String keyspace, int key, String address) {
    Optional<TokenMap> tokens = session.getMetadata().getTokenMap();
    if (tokens.isEmpty()) {
      return DefaultConsistencyLevel.ALL;
    }
    ByteBuffer routingKey =
        TypeCodecs.TEXT.encode(PairClient.keyName(key), session.getContext().getProtocolVersion());
    Set<Node> replicas = tokens.get().getReplicas(keyspace, routingKey);
    boolean holds =
        replicas.stream()
            .anyMatch(
                node ->
                    node.getBroadcastRpcAddress()
                        .map(InetSocketAddress::getHostString)
                        .filter(address::equals)
                        .isPresent());
    return holds || replicas.isEmpty()
        ? DefaultConsistencyLevel.ALL
        : DefaultConsistencyLevel.QUORUM;
  }

  private long disagreements() {
    return nodes.nodes().stream()
        .mapToLong(node -> ((Number) nodes.jmx(node).attribute(DISAGREEMENTS, "Count")).longValue())
        .sum();
  }
}

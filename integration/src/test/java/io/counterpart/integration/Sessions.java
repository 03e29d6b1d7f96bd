package io.counterpart.integration;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** CQL sessions that are patient with busy nodes and quick to find restarted ones. */
final class Sessions {
  private Sessions() {}

  static CqlSession open(List<io.counterpart.cluster.Node> nodes) {
    return CqlSession.builder()
        .withConfigLoader(config())
        .withLocalDatacenter("dc1")
        .addContactPoints(nodes.stream().map(Sessions::endpoint).toList())
        .build();
  }

  private static DriverConfigLoader config() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(30))
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(30))
        .withDuration(
            DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, Duration.ofSeconds(60))
        .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(500))
        .withInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 8)
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
        .build();
  }

  /** The driver's view of a node, once it has a connection to it. */
  static Node connected(CqlSession session, io.counterpart.cluster.Node node) {
    Optional<Node> ready = find(session, node);
    if (ready.isEmpty()) {
      await().atMost(Duration.ofSeconds(60)).until(() -> find(session, node).isPresent());
      ready = find(session, node);
    }
    return ready.orElseThrow();
  }

  private static Optional<Node> find(CqlSession session, io.counterpart.cluster.Node node) {
    return session
        .getMetadata()
        .findNode(endpoint(node))
        .filter(found -> found.getState() == NodeState.UP && found.getOpenConnections() > 0);
  }

  private static InetSocketAddress endpoint(io.counterpart.cluster.Node node) {
    return new InetSocketAddress(node.address(), node.cqlPort());
  }
}

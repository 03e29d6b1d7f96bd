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
  /** For requests and waits of which none may fail. */
  static final Duration PATIENT = Duration.ofSeconds(120);

  private static final Duration CONNECTING = Duration.ofSeconds(60);

  /** Between two questions whether all nodes have a new schema. */
  private static final Duration AGREEING = Duration.ofMillis(20);

  private Sessions() {}

  static CqlSession open(List<io.counterpart.cluster.Node> nodes) {
    return open(nodes, false);
  }

  /** As an application's session does, it reads all keyspaces when it connects. */
  static CqlSession openWithSchema(io.counterpart.cluster.Node contact) {
    return open(List.of(contact), true);
  }

  private static CqlSession open(List<io.counterpart.cluster.Node> contacts, boolean withSchema) {
    return CqlSession.builder()
        .withConfigLoader(config(withSchema))
        .withLocalDatacenter("dc1")
        .addContactPoints(contacts.stream().map(Sessions::endpoint).toList())
        .build();
  }

  private static DriverConfigLoader config(boolean withSchema) {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENT)
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECTING)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECTING)
        // the default is 5 s, whatever the line above says
        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, CONNECTING)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECTING)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, PATIENT)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_INTERVAL, AGREEING)
        .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(500))
        .withInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 8)
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, withSchema)
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENT)
        // a node writes a trace after the answer; the default gives it five times 3 ms
        .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, 500)
        .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, Duration.ofMillis(20))
        // nothing is under way when a test closes its session; the default waits for 2 s of silence
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .build();
  }

  /** The driver's view of a node, once it has a connection to it. */
  static Node connected(CqlSession session, io.counterpart.cluster.Node node) {
    Optional<Node> ready = find(session, node);
    if (ready.isEmpty()) {
      ready =
          await("a connection to " + node)
              .atMost(PATIENT)
              .until(() -> find(session, node), Optional::isPresent);
    }
    return ready.orElseThrow();
  }

  /** Whether the driver has a connection to a node now. */
  static boolean isConnected(CqlSession session, io.counterpart.cluster.Node node) {
    return find(session, node).isPresent();
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

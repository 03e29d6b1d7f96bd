package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.counterpart.cluster.jmx.JmxEndpoint;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/**
 * Finds a node's JMX port in the node's own virtual table of system properties.
 *
 * @param endpoint where to connect to
 * @param loopbackOnly whether the node says that it serves its own machine alone, Cassandra's
 *     default
 */
record JmxAddressing(JmxEndpoint endpoint, boolean loopbackOnly) {
  private static final int DEFAULT_PORT = 7199;

  static JmxAddressing of(CqlSession session, Node node, InetAddress address, RemoteAccess access) {
    Optional<Integer> local = port(session, node, "cassandra.jmx.local.port");
    int said =
        local
            .or(() -> port(session, node, "cassandra.jmx.remote.port"))
            .or(() -> port(session, node, "com.sun.management.jmxremote.port"))
            .orElse(DEFAULT_PORT);
    // such a node binds 127.0.0.1, whatever address it has for clients
    String host =
        local.isPresent() && isOfThisMachine(address) ? "127.0.0.1" : address.getHostAddress();
    return new JmxAddressing(
        new JmxEndpoint(
            host, access.jmxPort().orElse(said), access.jmxLogin(), access.isJmxEncrypted()),
        local.isPresent());
  }

  private static Optional<Integer> port(CqlSession session, Node node, String property) {
    String query = "SELECT value FROM system_views.system_properties WHERE name = ?";
    try {
      Row row = session.execute(SimpleStatement.newInstance(query, property).setNode(node)).one();
      return Optional.ofNullable(row)
          .flatMap(found -> Optional.ofNullable(found.getString(0)))
          .filter(value -> value.matches("[1-9]\\d{0,4}"))
          .map(Integer::valueOf)
          .filter(port -> port <= 65_535);
    } catch (QueryValidationException notAllowed) {
      // who may not read virtual tables names the port, or has the usual one
      return Optional.empty();
    }
  }

  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return false;
    }
  }
}

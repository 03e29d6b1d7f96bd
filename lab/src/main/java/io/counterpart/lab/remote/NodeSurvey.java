package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.cluster.RemoteNode;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.management.openmbean.CompositeData;

/** Surveys one node over CQL and JMX. */
final class NodeSurvey {
  private static final String DYNAMIC_SNITCH = "org.apache.cassandra.db:type=DynamicEndpointSnitch";

  private final CqlSession session;
  private final RemoteAccess access;

  NodeSurvey(CqlSession session, RemoteAccess access) {
    this.session = session;
    this.access = access;
  }

  /** Why a node cannot be worked with; the message names it. */
  static final class Obstacle extends Exception {
    Obstacle(String message) {
      super(message);
    }
  }

  /**
   * Looks at a node.
   *
   * @param index 1-based position
   * @throws Obstacle if it does not answer on both ways
   */
  SurveyedNode look(int index, Node node) throws Obstacle {
    InetAddress address = address(node);
    String name = address.getHostAddress();
    JmxAddressing jmx;
    try {
      jmx = JmxAddressing.of(session, node, address, access);
    } catch (AllNodesFailedException e) {
      throw new Obstacle("node %s does not answer CQL".formatted(name));
    }
    RemoteNode remote =
        new RemoteNode(index, name, String.valueOf(node.getDatacenter()), jmx.endpoint());
    try (NodeJmx connection = jmx.endpoint().connect(RemoteAccess.JMX_LIMIT)) {
      return read(remote, node, connection);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw new Obstacle(
          "node %s: no JMX on %s (%s)%s"
              .formatted(
                  name,
                  jmx.endpoint(),
                  e.getMessage(),
                  jmx.loopbackOnly() ? ", it serves its own machine alone" : ""));
    }
  }

  /** The address that clients use. */
  static InetAddress address(Node node) throws Obstacle {
    InetAddress address =
        node.getBroadcastRpcAddress()
            .map(InetSocketAddress::getAddress)
            .orElseGet(() -> ((InetSocketAddress) node.getEndPoint().resolve()).getAddress());
    if (address == null) {
      throw new Obstacle("node %s: its address is unknown".formatted(node.getEndPoint()));
    }
    return address;
  }

  private SurveyedNode read(RemoteNode remote, Node node, NodeJmx jmx) {
    String classPath = (String) jmx.attribute("java.lang:type=Runtime", "ClassPath");
    CompositeData heap = (CompositeData) jmx.attribute("java.lang:type=Memory", "HeapMemoryUsage");
    String system = "java.lang:type=OperatingSystem";
    int tokens =
        session.getMetadata().getTokenMap().map(map -> map.getTokens(node).size()).orElse(0);
    Version version = node.getCassandraVersion();
    return new SurveyedNode(
        remote,
        version == null ? "unknown" : version.toString(),
        plugins(classPath),
        snitch(jmx),
        tokens,
        ((Number) heap.get("max")).longValue(),
        ((Number) jmx.attribute(system, "AvailableProcessors")).intValue(),
        ((Number) jmx.attribute(system, "TotalPhysicalMemorySize")).longValue());
  }

  private static String snitch(NodeJmx jmx) {
    return (String)
        (jmx.has(DYNAMIC_SNITCH)
            ? jmx.attribute(DYNAMIC_SNITCH, "SubsnitchClassName") + ", dynamic"
            : jmx.attribute("org.apache.cassandra.db:type=EndpointSnitchInfo", "SnitchName"));
  }

  static List<String> plugins(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(entry -> String.valueOf(Path.of(entry).getFileName()))
        .filter(file -> file.matches("counterpart-cassandra-.*\\.jar"))
        .sorted()
        .toList();
  }
}

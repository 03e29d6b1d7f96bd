package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeJmx;
import io.counterpart.cluster.ServerNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes under measurement, each with a JMX connection that stays open between readings.
 * Thread-safe.
 */
public final class ConnectedNodes implements AutoCloseable {
  private final List<ServerNode> nodes;
  private final List<Node> local;
  private final Map<Integer, NodeJmx> connections = new ConcurrentHashMap<>();

  /** Connects when first asked. */
  public ConnectedNodes(List<? extends ServerNode> nodes) {
    this.nodes = List.copyOf(nodes);
    local = nodes.stream().filter(Node.class::isInstance).map(Node.class::cast).toList();
  }

  /** All of them. */
  public List<ServerNode> nodes() {
    return nodes;
  }

  /**
   * The same where they are processes of the lab's own, whose files can be looked at and which can
   * be limited, stopped and started; none where somebody else runs them.
   */
  public List<Node> local() {
    return local;
  }

  /** Whether all of them are processes of the lab's own. */
  public boolean areLocal() {
    return local.size() == nodes.size();
  }

  /** The open connection of a node. */
  public NodeJmx jmx(ServerNode node) {
    return connections.computeIfAbsent(node.index(), index -> node.jmx());
  }

  /** CPU time of a node's process so far. */
  public Duration cpuTime(ServerNode node) {
    return node.cpuTime(jmx(node));
  }

  /** Closes the connection of a node that is about to stop. */
  public void disconnect(ServerNode node) {
    NodeJmx connection = connections.remove(node.index());
    if (connection != null) {
      connection.close();
    }
  }

  @Override
  public void close() {
    connections.values().forEach(NodeJmx::close);
    connections.clear();
  }
}

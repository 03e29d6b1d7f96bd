package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeJmx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes under measurement, each with a JMX connection that stays open between readings.
 * Thread-safe.
 */
public final class ConnectedNodes implements AutoCloseable {
  private final List<Node> nodes;
  private final Map<Integer, NodeJmx> connections = new ConcurrentHashMap<>();

  /** Connects when first asked. */
  public ConnectedNodes(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** All of them. */
  public List<Node> nodes() {
    return nodes;
  }

  /** The open connection of a node. */
  public NodeJmx jmx(Node node) {
    return connections.computeIfAbsent(node.index(), index -> node.jmx());
  }

  /** Closes the connection of a node that is about to stop. */
  public void disconnect(Node node) {
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

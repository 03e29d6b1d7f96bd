package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeJmx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes under measurement, each with a JMX connection that stays open between readings. A node
 * that is down on purpose is left out of every reading until it is back. Thread-safe.
 */
public final class ConnectedNodes implements AutoCloseable {
  private final List<Node> nodes;
  private final Map<Integer, NodeJmx> connections = new ConcurrentHashMap<>();
  private final Set<Integer> down = ConcurrentHashMap.newKeySet();

  /** Connects when first asked. */
  public ConnectedNodes(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** Those that are not down on purpose. */
  public List<Node> nodes() {
    return nodes.stream().filter(node -> !down.contains(node.index())).toList();
  }

  /** Those that are down too. */
  public List<Node> all() {
    return nodes;
  }

  /** The open connection of a node. */
  public NodeJmx jmx(Node node) {
    return connections.computeIfAbsent(node.index(), index -> node.jmx());
  }

  /** A node is about to stop: its connection is closed, and it is left out from now on. */
  public void leaveOut(Node node) {
    down.add(node.index());
    NodeJmx connection = connections.remove(node.index());
    if (connection != null) {
      connection.close();
    }
  }

  /** A node serves again. */
  public void takeBack(Node node) {
    down.remove(node.index());
  }

  @Override
  public void close() {
    connections.values().forEach(NodeJmx::close);
    connections.clear();
  }
}

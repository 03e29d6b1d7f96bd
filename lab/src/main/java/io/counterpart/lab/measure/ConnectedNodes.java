package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.ObservedNode;
import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes under measurement, each with a JMX connection that stays open between readings. A node
 * that is down on purpose is left out of every reading until it is back. Thread-safe.
 */
public final class ConnectedNodes implements AutoCloseable {
  private final List<ObservedNode> nodes;
  private final List<Node> local;
  private final Map<Integer, NodeJmx> connections = new ConcurrentHashMap<>();
  private final Set<Integer> down = ConcurrentHashMap.newKeySet();

  /** Connects when first asked. */
  public ConnectedNodes(List<? extends ObservedNode> nodes) {
    this.nodes = List.copyOf(nodes);
    local = nodes.stream().filter(Node.class::isInstance).map(Node.class::cast).toList();
  }

  /** Those that are not down on purpose. */
  public List<ObservedNode> nodes() {
    return nodes.stream().filter(node -> !down.contains(node.index())).toList();
  }

  /** The processes of the lab's own, those that are down too. */
  public List<Node> all() {
    return local;
  }

  /**
   * The same where they are processes of the lab's own, whose files can be looked at and which can
   * be limited, stopped and started; none where somebody else runs them.
   */
  public List<Node> local() {
    return local.stream().filter(node -> !down.contains(node.index())).toList();
  }

  /** Whether all of them are processes of the lab's own. */
  public boolean areLocal() {
    return local.size() == nodes.size();
  }

  /** The open connection of a node. */
  public NodeJmx jmx(ObservedNode node) {
    return connections.computeIfAbsent(node.index(), index -> node.jmx());
  }

  /** CPU time of a node's process so far. */
  public Duration cpuTime(ObservedNode node) {
    return node.cpuTime(jmx(node));
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

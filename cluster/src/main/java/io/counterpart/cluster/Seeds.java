package io.counterpart.cluster;

import io.counterpart.cluster.layout.Join;
import java.util.List;

/** The seed nodes of a starting node. */
final class Seeds {
  private static final int LIMIT = 3;

  private Seeds() {}

  /**
   * Addresses for a node's seed list, at least one. Nodes that start together all name the first
   * one.
   */
  static List<String> of(List<Node> nodes, Node starting, Join join) {
    List<String> first = List.of(nodes.get(0).address());
    if (join instanceof Join.Fresh) {
      return first;
    }
    List<String> running =
        nodes.stream()
            .filter(node -> node != starting && node.isRunning())
            .map(Node::address)
            .limit(LIMIT)
            .toList();
    if (!running.isEmpty()) {
      return running;
    }
    // while nobody answers only a seed comes up. A seed does not bootstrap: Cassandra then refuses
    // one that replaces another and has not got its data
    boolean isOnItsData = join instanceof Join.Restart || join instanceof Join.Replace;
    return isOnItsData ? List.of(starting.address()) : first;
  }
}

package io.counterpart.cluster;

import io.counterpart.cluster.layout.Join;
import java.util.List;

/** Nodes that were put in the place of dead ones. Thread-safe: no state. */
final class Replacements {
  private Replacements() {}

  /** Whether another of the nodes has its tokens, or is about to take them. */
  static boolean isReplaced(Node node, List<Node> nodes) {
    return nodes.stream().anyMatch(other -> node.address().equals(other.replaces()));
  }

  /** Those of the ring, dead ones too: not those that have left or were replaced. */
  static List<Node> members(List<Node> nodes) {
    return nodes.stream()
        .filter(node -> !isReplaced(node, nodes))
        .filter(node -> node.isAlive() || !StartupLog.hasLeft(node.layout()))
        .toList();
  }

  /**
   * The manner of a start on its own data. Whether one that replaces another has all of them yet,
   * Cassandra knows: until then it streams, and afterwards this is a restart.
   */
  static Join onItsData(Node node) {
    String replaced = node.replaces();
    return replaced == null ? new Join.Restart() : new Join.Replace(replaced);
  }

  /** Wipes and removes what came to nothing: it would go on at the next start. */
  static void forgetAttempts(Node dead, List<Node> nodes) {
    for (Node attempt : List.copyOf(nodes)) {
      if (dead.address().equals(attempt.replaces()) && !attempt.isAlive()) {
        attempt.wipe();
        nodes.remove(attempt);
      }
    }
  }
}

package io.counterpart.cluster;

import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.NodeFiles;
import io.counterpart.cluster.layout.StartupLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Nodes that were put in the place of dead ones. Thread-safe: no state. */
final class Replacements {
  private Replacements() {}

  /**
   * Whether another of the nodes has its tokens, or is about to take them. Not if those that were
   * to replace it are dead, and the ring has it still; who cannot be asked does not count.
   */
  static boolean isReplaced(Node node, List<Node> nodes) {
    List<Node> others = of(node, nodes);
    return !others.isEmpty() && (others.stream().anyMatch(Node::isAlive) || !isOwner(node, nodes));
  }

  /**
   * Requires that no other node has its tokens, and forgets those that were to take them.
   *
   * @throws IllegalStateException if one has, or is about to take them
   */
  static void requireOwner(Node node, List<Node> nodes) {
    if (isReplaced(node, nodes)) {
      throw new IllegalStateException(node + " was replaced: another node has its tokens");
    }
    forgetAttempts(node, nodes);
  }

  private static List<Node> of(Node node, List<Node> nodes) {
    return nodes.stream().filter(other -> node.address().equals(other.replaces())).toList();
  }

  private static boolean isOwner(Node node, List<Node> nodes) {
    for (Node running : nodes) {
      if (running.isRunning()) {
        try (NodeJmx jmx = running.jmx()) {
          return jmx.tokenOwners().contains(node.address());
        }
      }
    }
    return false;
  }

  /** Those of the ring, dead ones too: not those that have left, or in whose place is another. */
  static List<Node> members(List<Node> nodes) {
    return nodes.stream()
        .filter(node -> of(node, nodes).isEmpty())
        .filter(node -> node.isAlive() || !hasLeft(node))
        .toList();
  }

  private static boolean hasLeft(Node node) {
    return RemovedNodes.contains(node) || StartupLog.hasLeft(node.layout());
  }

  /**
   * The nodes that were put in the place of others. They start last, since they may stream from the
   * rest, and one that fails must not end the rest.
   */
  static List<Node> among(List<Node> nodes) {
    return nodes.stream().filter(node -> node.replaces() != null).toList();
  }

  /** The other nodes. */
  static List<Node> without(List<Node> nodes) {
    return nodes.stream().filter(node -> node.replaces() == null).toList();
  }

  /**
   * The manner of a start on its own data. Whether one that replaces another has all of them yet,
   * Cassandra knows: until then it streams, and afterwards this is a restart.
   */
  static Join onItsData(Node node) {
    String replaced = node.replaces();
    return replaced == null ? new Join.Restart() : new Join.Replace(replaced);
  }

  /** Deletes and removes the dead ones that were to replace a node: they would go on. */
  static void forgetAttempts(Node dead, List<Node> nodes) {
    for (Node attempt : of(dead, nodes)) {
      if (!attempt.isAlive()) {
        attempt.wipe();
        try {
          NodeFiles.deleteTree(attempt.directory());
        } catch (IOException e) {
          throw new UncheckedIOException("cannot delete " + attempt.directory(), e);
        }
        nodes.remove(attempt);
      }
    }
  }
}

package io.counterpart.cluster;

import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.StartupLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Nodes that were removed from the ring while they were dead, by {@code nodetool removenode}.
 * Nothing on their own disks tells. Started on their data they would take their tokens again, lack
 * what was written since, and bring back what was deleted and purged. So a file in the data tells;
 * it is made before the nodes that know end. Thread-safe: no state.
 */
final class RemovedNodes {
  private RemovedNodes() {}

  /**
   * Notes dead nodes that the ring of the running ones has no more; asks nobody if none is dead.
   */
  static void note(List<Node> nodes) {
    List<Node> dead =
        nodes.stream()
            .filter(node -> !node.isAlive() && !contains(node) && hasBeenInRing(node))
            .toList();
    if (dead.isEmpty()) {
      return;
    }
    owners(nodes)
        .ifPresent(
            owners ->
                dead.stream()
                    .filter(node -> !owners.contains(node.address()))
                    .forEach(RemovedNodes::note));
  }

  /** Whether it is known to be removed. */
  static boolean contains(Node node) {
    return Files.exists(mark(node));
  }

  /**
   * Requires that a dead node has not been removed, as far as a running one can tell.
   *
   * @throws IllegalStateException if it has
   */
  static void refuse(Node dead, List<Node> nodes) {
    boolean isRemoved =
        contains(dead)
            || hasBeenInRing(dead)
                && owners(nodes).map(owners -> !owners.contains(dead.address())).orElse(false);
    if (isRemoved) {
      throw new IllegalStateException(
          dead + " was removed from the ring, and its data are outdated; add a node in its place");
    }
  }

  private static boolean hasBeenInRing(Node node) {
    return node.layout().hasData() && StartupLog.hasBeenInRing(node.layout());
  }

  private static void note(Node node) {
    try {
      Files.write(mark(node), List.of());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + mark(node), e);
    }
  }

  private static Path mark(Node node) {
    return node.dataDirectory().resolve("removed-from-ring");
  }

  private static Optional<Set<Object>> owners(List<Node> nodes) {
    return owners(nodes, RemovedNodes::ring);
  }

  /**
   * Addresses that own tokens where any running member looks; empty if none can be asked. One
   * member is not enough: where it has joined, others may have been started anew since a node died,
   * and these tell nobody of its tokens.
   *
   * @param ring what a running node knows
   */
  static Optional<Set<Object>> owners(List<Node> nodes, Function<Node, Collection<?>> ring) {
    Set<Object> owners = new HashSet<>();
    nodes.stream().filter(Node::isRunning).forEach(node -> owners.addAll(ring.apply(node)));
    return owners.isEmpty() ? Optional.empty() : Optional.of(owners);
  }

  /** Empty if it cannot be asked, or does not know all yet. */
  private static Collection<?> ring(Node running) {
    try (NodeJmx jmx = running.jmx()) {
      boolean isMember = jmx.attribute(NodeJmx.STORAGE_SERVICE, "OperationMode").equals("NORMAL");
      return isMember ? jmx.tokenOwners() : Set.of();
    } catch (UncheckedIOException | IllegalArgumentException e) {
      return Set.of(); // it starts, or ends
    }
  }
}

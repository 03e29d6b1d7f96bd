package io.counterpart.cluster;

import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** Addresses of all owners of tokens; empty if no member can be asked. */
  private static Optional<Collection<?>> owners(List<Node> nodes) {
    for (Node running : nodes) {
      if (running.isRunning()) {
        try (NodeJmx jmx = running.jmx()) {
          // one that starts does not know all yet
          if (jmx.attribute(NodeJmx.STORAGE_SERVICE, "OperationMode").equals("NORMAL")) {
            Map<?, ?> ring =
                (Map<?, ?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, "TokenToEndpointMap");
            return Optional.of(List.copyOf(ring.values()));
          }
        } catch (UncheckedIOException | IllegalArgumentException e) {
          continue; // it starts, or ends
        }
      }
    }
    return Optional.empty();
  }
}

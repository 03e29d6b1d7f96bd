package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Who each node believes to be a member of the ring, which gossip tells some nodes late. */
final class RingMembers {
  /** A node that leaves waits for batches for twice the time of a write: here nobody has any. */
  static final String NO_BATCHES = "-Dcassandra.batchlog.replay_timeout_in_ms=8000";

  private RingMembers() {}

  /** The nodes that one node sees join. */
  static List<?> joining(Node observer) {
    try (NodeJmx jmx = observer.jmx()) {
      return (List<?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, "JoiningNodes");
    }
  }

  /** Waits until every node sees all others as members of the ring, or not at all. */
  static void awaitSettled(TestCluster cluster) {
    await("nobody joins, moves or leaves")
        .atMost(Duration.ofSeconds(180))
        // a busy node resets connections now and then
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .untilAsserted(() -> cluster.live().forEach(RingMembers::assertSettled));
  }

  private static void assertSettled(Node observer) {
    try (NodeJmx jmx = observer.jmx()) {
      for (String change : List.of("JoiningNodes", "MovingNodes", "LeavingNodes")) {
        assertThat((List<?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, change))
            .as("%s of %s", change, observer)
            .isEmpty();
      }
    }
  }
}

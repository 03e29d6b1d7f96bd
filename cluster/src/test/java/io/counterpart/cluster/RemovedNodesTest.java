package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.layout.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovedNodesTest {
  private static final String DEAD = "127.0.0.3";

  @TempDir Path home;

  /** Node 1 was emptied and joined again, after node 2 had been started anew beside a dead one. */
  @Test
  void a_dead_node_that_any_member_knows_is_in_the_ring() throws IOException {
    Map<Integer, List<String>> rings =
        Map.of(1, List.of("127.0.0.1", "127.0.0.2"), 2, List.of("127.0.0.1", "127.0.0.2", DEAD));
    try (SleepingNodes running = new SleepingNodes(home, Ports.DEFAULT)) {
      List<Node> nodes = running.cluster().nodes();

      assertThat(RemovedNodes.owners(nodes, node -> rings.getOrDefault(node.index(), List.of())))
          .hasValueSatisfying(owners -> assertThat(owners).contains(DEAD));
    }
  }

  @Test
  void where_nobody_can_be_asked_nothing_is_known() throws IOException {
    try (SleepingNodes running = new SleepingNodes(home, Ports.DEFAULT)) {
      assertThat(RemovedNodes.owners(running.cluster().nodes(), node -> List.of())).isEmpty();
    }
  }
}

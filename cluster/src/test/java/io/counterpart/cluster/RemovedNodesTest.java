package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovedNodesTest {
  private static final String DEAD = "127.0.0.3";

  @TempDir Path home;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  /** Node 1 was emptied and joined again, after node 2 had been started anew beside a dead one. */
  @Test
  void a_dead_node_that_any_member_knows_is_in_the_ring() throws IOException {
    Map<Integer, List<String>> rings =
        Map.of(1, List.of("127.0.0.1", "127.0.0.2"), 2, List.of("127.0.0.1", "127.0.0.2", DEAD));
    List<Node> nodes = twoRunning();

    assertThat(RemovedNodes.owners(nodes, node -> rings.getOrDefault(node.index(), List.of())))
        .hasValueSatisfying(owners -> assertThat(owners).contains(DEAD));
  }

  @Test
  void where_nobody_can_be_asked_nothing_is_known() throws IOException {
    assertThat(RemovedNodes.owners(twoRunning(), node -> List.of())).isEmpty();
  }

  private List<Node> twoRunning() throws IOException {
    ClusterSpec spec = ClusterSpec.builder(home).nodes(2).serverLib(Path.of("/lib")).build();
    List<ClusterState.Member> members = new ArrayList<>();
    for (NodeLayout layout : NodeLayout.of(spec)) {
      Process process = new ProcessBuilder("sleep", "60").start();
      processes.add(process);
      ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
      members.add(new ClusterState.Member(layout, identity, Map.of(), null));
    }
    new ClusterState(spec, members).write();
    return Cluster.recorded(home).orElseThrow().nodes();
  }
}

package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadinessTest {

  @TempDir Path home;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void a_node_that_dies_while_others_still_start_fails_the_start() throws IOException {
    try (ServerSocket served = listening()) {
      Cluster cluster = twoNodes(served.getLocalPort());
      StartListener killing =
          new StartListener() {
            @Override
            public void ready(int nodeIndex, Duration sinceLaunch) {
              cluster.node(nodeIndex).kill();
            }
          };

      assertThatThrownBy(
              () -> Readiness.awaitServing(cluster.nodes(), Duration.ofSeconds(5), killing))
          .isInstanceOf(NodeStartException.class)
          .hasMessageContaining("node 1 did not start");
    }
  }

  @Test
  void a_node_that_has_died_is_not_said_to_go_on() throws IOException {
    int nobodys;
    try (ServerSocket free = listening()) {
      nobodys = free.getLocalPort();
    }
    Cluster cluster = twoNodes(nobodys);
    cluster.nodes().forEach(Node::kill);

    assertThatThrownBy(() -> cluster.node(1).resume())
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("node 1 did not start");
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
  }

  /** Two nodes whose processes run, of which nobody answers but a socket of the test. */
  private Cluster twoNodes(int cqlPort) throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder(home)
            .nodes(2)
            .serverLib(Path.of("/lib"))
            .ports(new Ports(cqlPort, 7000, cqlPort))
            .build();
    List<ClusterState.Member> members = new ArrayList<>();
    for (NodeLayout layout : NodeLayout.of(spec)) {
      Process process = new ProcessBuilder("sleep", "60").start();
      processes.add(process);
      ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
      members.add(new ClusterState.Member(layout, identity, Map.of(), null));
    }
    new ClusterState(spec, members).write();
    return Cluster.recorded(home).orElseThrow();
  }
}

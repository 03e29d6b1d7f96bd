package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadinessTest {

  @TempDir Path home;

  @Test
  void a_node_that_dies_while_others_still_start_fails_the_start() throws IOException {
    try (ServerSocket served = listening();
        SleepingNodes nodes = twoNodes(served.getLocalPort())) {
      Cluster cluster = nodes.cluster();
      StartListener killing =
          new StartListener() {
            @Override
            public void ready(int nodeIndex, Duration sinceLaunch) {
              cluster.node(nodeIndex).kill();
            }
          };

      assertThatThrownBy(
              () -> Readiness.awaitServing(cluster.nodes(), Duration.ofSeconds(40), killing))
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
    try (SleepingNodes nodes = twoNodes(nobodys)) {
      Cluster cluster = nodes.cluster();
      cluster.nodes().forEach(Node::kill);

      assertThatThrownBy(() -> cluster.node(1).resume())
          .isInstanceOf(NodeStartException.class)
          .hasMessageContaining("node 1 did not start");
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
  }

  /** Nobody answers but a socket of the test. */
  private SleepingNodes twoNodes(int cqlPort) throws IOException {
    return new SleepingNodes(home, new Ports(cqlPort, 7000, cqlPort));
  }
}

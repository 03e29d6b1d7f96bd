package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeStartException;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.process.PreflightException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The life of a small cluster: start, kill, wipe, restart, stop. It grows in {@link TopologyIT}.
 */
@OnUsualPorts
class ClusterIT {

  private static final Path HOME = Path.of("target/cluster-it").toAbsolutePath();

  @Test
  void starts_loses_regains_and_stops() throws Exception {
    Cluster cluster = Cluster.start(spec(2).build(), StartListener.SILENT);
    try (cluster) {
      assertThat(cluster.node(1).nodetool("status")).containsPattern("UN +127.0.0.2");
      assertThat(cluster.node(1).cpuTime()).isGreaterThan(Duration.ofSeconds(1));
      assertThat(Cluster.attach(HOME))
          .hasValueSatisfying(
              same -> assertThat(same.node(2).pid()).isEqualTo(cluster.node(2).pid()));
      assertThatThrownBy(() -> Cluster.start(spec(2).build(), StartListener.SILENT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already running");

      Node second = cluster.node(2);
      String tokensBefore = tokens(second);
      second.kill();
      assertThat(second.isAlive()).isFalse();
      second.wipe();
      second.start(StartListener.SILENT);
      assertThat(tokens(second)).isEqualTo(tokensBefore);

      second.stop();
      second.start(StartListener.SILENT);
      assertThat(tokens(second)).isEqualTo(tokensBefore);
    }
    assertThat(cluster.nodes()).noneMatch(Node::isAlive);
  }

  @Test
  void reports_the_cause_from_the_log_of_a_node_that_dies() {
    ClusterSpec broken = spec(1).yaml(Map.of("no_such_option", 1)).build();

    assertThatThrownBy(() -> Cluster.start(broken, StartListener.SILENT))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("no_such_option");

    assertThat(Cluster.attach(HOME)).isEmpty();
  }

  @Test
  void refuses_before_anything_is_written_when_memory_is_short() {
    Path untouched = HOME.resolveSibling("never-made");
    ClusterSpec huge =
        ClusterSpec.builder(untouched)
            .nodes(32)
            .heapMegabytes(32_768)
            .serverLib(Installation.locate().serverLib())
            .build();

    assertThatThrownBy(() -> Cluster.start(huge, StartListener.SILENT))
        .isInstanceOf(PreflightException.class)
        .hasMessageContaining("memory");

    assertThat(untouched).doesNotExist();
  }

  private static ClusterSpec.Builder spec(int nodes) {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(HOME)
        .nodes(nodes)
        .tokensPerNode(4)
        .heapMegabytes(512)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar());
  }

  private static String tokens(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      List<?> tokens =
          (List<?>) jmx.attribute("org.apache.cassandra.db:type=StorageService", "Tokens");
      return tokens.stream().sorted().toList().toString();
    }
  }
}

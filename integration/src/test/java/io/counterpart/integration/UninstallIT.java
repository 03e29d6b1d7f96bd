package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plugin's jar is taken away. */
@OnCluster(value = Shape.THREE_NODES, last = true)
class UninstallIT {
  private static final String KEYSPACE = "uninstalled";

  private static final List<Map<String, String>> LAYOUTS =
      List.of(
          Map.of(
              "runs", "2",
              "redundant_compression", "ZstdCompressor:3",
              "redundant_chunk_length", "64KiB",
              "redundant_bloom_filter_fp_chance", "0.1"),
          Map.of("runs", "2", "primary", "lcs", "split", "flush"),
          Map.of("mode", "mlsm"));
  private static final List<String> STOCK =
      List.of(
          "UnifiedCompactionStrategy", "LeveledCompactionStrategy", "SizeTieredCompactionStrategy");

  private final Seed seed = Seed.of(UninstallIT.class);

  @Test
  void stock_nodes_read_and_compact_what_the_plugin_wrote(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    List<AcknowledgedWrites> tables =
        IntStream.range(0, LAYOUTS.size()).mapToObj(i -> fill(cluster, i)).toList();
    assertThat(cluster.counter(KEYSPACE, "t0", "SplitBytes")).isPositive();

    for (int i = 0; i < STOCK.size(); i++) {
      cluster.execute(
          "ALTER TABLE uninstalled.t%d WITH compaction = {'class': '%s'}"
              .formatted(i, STOCK.get(i)));
    }
    // a node without the plugin cannot load a schema with a table that is still decoupled
    cluster.dropKeyspacesExcept(KEYSPACE);
    cluster.cluster().usePlugin(null);
    Launcher launcher = new Launcher(Path.of("target/uninstall-it").toAbsolutePath());
    for (Node node : cluster.live()) {
      node.stop();
      node.start(StartListener.SILENT);
      if (node.index() == 1) {
        Launcher.Outcome doctor = launcher.run("doctor", "--home=" + Shape.HOME);
        assertThat(doctor.exitCode()).isEqualTo(1);
        assertThat(doctor.out()).containsPattern("plugin on .*" + node.address() + ".*missing");
      }
      assertThat(keyspaces(cluster, node)).contains("system_views").doesNotContain("counterpart");
    }

    tables.forEach(AcknowledgedWrites::checkEverywhere);
    tables.forEach(AcknowledgedWrites::writeAll);
    cluster.flush(KEYSPACE);
    cluster.compact(KEYSPACE);
    tables.forEach(AcknowledgedWrites::checkEverywhere);
  }

  private AcknowledgedWrites fill(TestCluster cluster, int number) {
    String table = "t" + number;
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + table,
            "compaction = " + TestCluster.decoupled(LAYOUTS.get(number)),
            1000,
            300,
            seed);
    rows.writeAllAndFlush(3);
    cluster.settle(KEYSPACE, table);
    return rows;
  }

  private static List<String> keyspaces(TestCluster cluster, Node node) {
    return cluster
        .query(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT keyspace_name FROM system_virtual_schema.keyspaces")
        .stream()
        .map(row -> row.getString("keyspace_name"))
        .toList();
  }
}

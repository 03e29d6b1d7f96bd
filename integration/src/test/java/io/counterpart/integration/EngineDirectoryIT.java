package io.counterpart.integration;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.ClusterSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Stores in a directory of their own, on one node: the shared clusters' nodes would share it. */
@OnThirdPorts
class EngineDirectoryIT {
  private static final String KEYSPACE = "engine_directory";

  private final Seed seed = Seed.of(EngineDirectoryIT.class);

  @Test
  void a_node_that_dies_as_a_table_leaves_a_directory_keeps_its_rows() throws Exception {
    Installation installation = Installation.locate();
    String stores = Path.of("target/engine-directory-stores").toAbsolutePath().toString();
    ClusterSpec spec =
        ClusterSpec.builder(Path.of("target/engine-directory-it").toAbsolutePath())
            .nodes(1)
            .tokensPerNode(4)
            .heapMegabytes(450)
            .jvmOptions(List.of(Breakpoint.OPTION))
            .serverLib(installation.serverLib())
            .pluginJar(installation.pluginJar())
            .extraJars(List.of(installation.engineJar("lmdb")))
            .engines(List.of("lmdb"))
            .yaml(
                Map.of(
                    "memtable",
                    Map.of(
                        "configurations",
                        Map.of(
                            "elsewhere",
                            EngineServers.inheriting("lmdb", Map.of("directory", stores))))))
            .ports(Shape.THIRD_PORTS)
            .build();
    try (TestCluster cluster = TestCluster.start(spec)) {
      Node node = cluster.node(1);
      cluster.createKeyspace(KEYSPACE, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
      AcknowledgedWrites rows =
          new AcknowledgedWrites(
              cluster, KEYSPACE + ".t", "memtable = 'elsewhere'", 300, 400, seed);
      rows.writeAll();
      // the commit log has them no more
      node.stop();
      node.start(StartListener.SILENT);
      String flush = "io.counterpart.cassandra.engine.EngineFlush";
      try (Breakpoint point = Breakpoint.ofNode(node, flush, "withStored", 1)) {
        CompletableFuture<Void> alter =
            CompletableFuture.runAsync(
                () -> cluster.execute("ALTER TABLE " + KEYSPACE + ".t WITH memtable = 'lsm'"));
        point.awaitKill(Duration.ofMinutes(1));
        alter.exceptionally(failure -> null).join();
      }
      node.start(StartListener.SILENT);

      rows.checkEverywhere();
    }
  }
}

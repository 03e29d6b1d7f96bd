package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.engine.conformance.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The disk of a store is full: Cassandra's policy decides, and nothing that was written is lost.
 */
@OnCluster(Shape.TRANSIENT_REPLICATION)
class EngineFullDiskIT {
  private static final String KEYSPACE = "engine_full_disk";
  private static final int ROWS = 600;
  private static final int VALUE_BYTES = 20_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Seed seed = Seed.of(EngineFullDiskIT.class);

  @Test
  void a_restart_with_more_room_has_all_rows(TestCluster cluster) throws Exception {
    Node node = cluster.node(1);
    try (SmallDisk disk = SmallDisk.mount(Path.of(EngineServers.SMALL_DIRECTORY), 16)) {
      cluster.createKeyspace(KEYSPACE, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
      AcknowledgedWrites rows =
          new AcknowledgedWrites(
              cluster,
              KEYSPACE + ".t",
              "memtable = '" + EngineServers.SMALL + "'",
              ROWS,
              VALUE_BYTES,
              seed);
      rows.write(0, ROWS / 4);
      cluster.flush(KEYSPACE);
      TestCluster.flushSchema(node);
      assertThat(DataFiles.of(node, KEYSPACE, "t")).isEmpty();
      disk.resize((int) (disk.usedBytes() >> 20) + 1);

      // as much as memory and commit log take: no write that was acknowledged is there alone
      rows.write(ROWS / 4, ROWS / 2);
      assertThatThrownBy(() -> node.nodetool("flush", KEYSPACE)).isInstanceOf(Exception.class);
      await().alias("disk_failure_policy: die").atMost(LIMIT).until(() -> !node.isAlive());
      assertThat(Files.readString(node.logFile()).contains("its disk has "))
          .as("the log says why")
          .isTrue();

      disk.resize(64);
      node.start(StartListener.SILENT);

      rows.checkEverywhere();
      rows.write(0, ROWS);
      cluster.flush(KEYSPACE);
      rows.checkEverywhere();
      cluster.execute("DROP KEYSPACE " + KEYSPACE);
    }
  }
}

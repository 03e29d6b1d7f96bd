package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DriverException;
import io.counterpart.cluster.Node;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The server of an engine dies while a spill reads its store: the flush fails, is repeated without
 * the store, and the next spill takes the store along.
 */
final class CutOffSpill {
  private static final String TABLE = "cut_off";

  /** Several pages of the store. */
  private static final int ROWS = 1000;

  private static final int VALUE_BYTES = 20_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final TestCluster cluster;
  private final Node node;
  private final String keyspace;

  CutOffSpill(TestCluster cluster, String keyspace) {
    this.cluster = cluster;
    this.node = cluster.node(1);
    this.keyspace = keyspace;
  }

  /**
   * @param configuration of the memtable; its flushes do not wait for the server
   */
  void check(String configuration, ProcessIdentity server, Seed seed) throws Exception {
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            keyspace + "." + TABLE,
            "memtable = '" + configuration + "'",
            ROWS,
            VALUE_BYTES,
            seed);
    rows.writeAll();
    TestCluster.flush(node, keyspace, TABLE);
    // a flush that takes long while memory is short writes sstables first
    await().atMost(LIMIT).until(() -> DataFiles.of(node, keyspace, TABLE).isEmpty());
    rows.write(0, ROWS / 10);
    CompletableFuture<Void> snapshot;
    try (SlowProcess slow = new SlowProcess(server)) {
      snapshot = CompletableFuture.runAsync(() -> snapshot("cut"));
      await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> bytes() > 0);
      assertThat(snapshot).as("a spill that reads slowly").isNotDone();
      // while it is slow: at its full speed it may answer the rest before
      server.kill();
    }
    assertThatThrownBy(snapshot::join).isInstanceOf(CompletionException.class);
    await().atMost(LIMIT).until(this::isRepeated);
    node.servers().start();

    await()
        .atMost(LIMIT)
        .ignoreExceptionsMatching(DriverException.class::isInstance)
        .untilAsserted(rows::checkEverywhere);
    snapshot("whole");
    Path snapshots = DataFiles.directory(node, keyspace, TABLE).resolve("snapshots");
    assertThat(bytes(snapshots.resolve("whole"))).isGreaterThan((long) ROWS * VALUE_BYTES / 2);
    // the store is dropped meanwhile
    for (int i = 0; i < 5; i++) {
      rows.checkEverywhere();
    }
    Path stores = DataFiles.directory(node, keyspace, TABLE).resolve("engine");
    cluster.execute("DROP TABLE " + keyspace + "." + TABLE);
    // in the background, and again where a connection of before fails
    await().atMost(LIMIT).until(() -> !Files.exists(stores));
  }

  private void snapshot(String name) {
    Snapshots.take(node, name, keyspace + "." + TABLE);
  }

  private boolean isRepeated() throws IOException {
    String words = "A flush of %s.%s that failed has been repeated".formatted(keyspace, TABLE);
    return Files.readString(node.logFile()).contains(words);
  }

  /** Of sstables, unfinished ones too. */
  private long bytes() {
    return bytes(DataFiles.directory(node, keyspace, TABLE));
  }

  private static long bytes(Path directory) {
    return DataFiles.in(directory).stream().mapToLong(file -> file.toFile().length()).sum();
  }
}

package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The server of an engine answers, and refuses to write, as one that has taken a privilege back.
 * Flushes write sstables meanwhile, and it absorbs them when it takes writes again.
 */
final class RefusedFlush {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The node's work in the background is due every second. */
  private static final Duration TICKS = Duration.ofSeconds(3);

  private static final String UNABSORBED = "Cannot absorb";

  private final TestCluster cluster;
  private final Node node;
  private final ServerStores stores;
  private final String keyspace;

  RefusedFlush(TestCluster cluster, ServerStores stores) {
    this.cluster = cluster;
    this.node = cluster.node(1);
    this.stores = stores;
    this.keyspace = stores.keyspace();
  }

  /**
   * @param table of the buffered writes, all of it in the store
   * @param direct of a table of this name
   * @param stock of a table of this name, on no engine
   */
  void check(
      String table,
      AcknowledgedWrites buffered,
      AcknowledgedWrites direct,
      AcknowledgedWrites stock)
      throws Exception {
    stores.refuseWrites();
    String before;
    try {
      // not earlier: the node tells the store in the background how far the last flush has come
      before = stores.state("direct");
      flushesWriteSSTables(table, buffered);
      stock.writeAll();
      flush("stock");
      stock.checkEverywhere();
      directWritesFail(direct);
      // it has nothing to merge, but moves the position of the log
      flush("direct");
      nothingIsAbsorbed(table);
      assertThat(stores.state("direct")).isEqualTo(before);
      assertThat(node.isAlive()).as("disk_failure_policy").isTrue();
    } finally {
      stores.takeWrites();
    }

    await().atMost(LIMIT).until(() -> DataFiles.of(node, keyspace, table).isEmpty());
    await().atMost(LIMIT).until(() -> !stores.state("direct").equals(before));
    buffered.checkEverywhere();
    await()
        .atMost(LIMIT)
        .ignoreExceptionsMatching(DriverException.class::isInstance)
        .untilAsserted(
            () -> cluster.execute("DELETE FROM %s.direct WHERE id = -2".formatted(keyspace)));
    direct.writeAll();
    direct.checkEverywhere();
    assertThat(cluster.engine(node, keyspace, table).getInt("unflushed_memtables")).isZero();
  }

  private void flushesWriteSSTables(String table, AcknowledgedWrites buffered) throws IOException {
    Predicate<String> error =
        line ->
            line.contains("ERROR")
                && line.contains("The flush of %s.%s writes sstables".formatted(keyspace, table));
    long errors = lines(error);
    for (int i = 0; i < 2; i++) {
      buffered.writeAll();
      flush(table);
      assertThat(DataFiles.of(node, keyspace, table)).isNotEmpty();
    }
    assertThat(lines(error)).isGreaterThan(errors);
    buffered.checkEverywhere();
    assertThat(cluster.engine(node, keyspace, table).getString("state"))
        .as("it is not away")
        .startsWith("absorbing");
  }

  private void directWritesFail(AcknowledgedWrites direct) throws Exception {
    String insert = "INSERT INTO %s.direct (id) VALUES (-2)".formatted(keyspace);
    assertThatThrownBy(() -> cluster.execute(insert)).isInstanceOf(WriteFailureException.class);
    checkClientIsTold(insert);
    direct.checkEverywhere();
  }

  /** Java's driver makes its message itself. */
  private void checkClientIsTold(String insert) throws Exception {
    Optional<PythonDriver> driver = PythonDriver.find(Path.of("target/python").toAbsolutePath());
    if (driver.isPresent()) {
      assertThat(driver.get().failure(node, insert))
          .containsPattern(keyspace + "\\.direct on 127\\.0\\.0\\.1: \\S")
          .containsIgnoringCase(stores.engine().equals("sql") ? "sql server" : "redis://");
    }
  }

  private void nothingIsAbsorbed(String table) throws IOException {
    long before = lines(line -> line.contains(UNABSORBED));
    await().atMost(LIMIT).until(() -> lines(line -> line.contains(UNABSORBED)) > before);
    await().pollDelay(TICKS).atMost(LIMIT).until(() -> true);
    assertThat(DataFiles.of(node, keyspace, table)).isNotEmpty();
  }

  private void flush(String table) {
    TestCluster.flush(node, keyspace, table);
  }

  private long lines(Predicate<String> which) throws IOException {
    try (Stream<String> lines = Files.lines(node.logFile())) {
      return lines.filter(which).count();
    }
  }
}

package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Flushes of a table on LMDB that fail, while its disk is well: {@link CutOffSpill} on servers. */
@OnSecondCluster(Shape.THREE_NODES)
class FailedFlushIT {
  private static final String ENGINE = "io.counterpart.cassandra.engine.";
  private static final String REPEATED =
      "A flush of " + EngineRows.TABLE + " that failed has been repeated";
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void a_flush_that_failed_is_repeated_without_the_store(TestCluster cluster) throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    Set<String> stored = EngineRows.fill(cluster, 0, "a");
    TestCluster.flush(node, KEYSPACE, "t");
    assertThat(EngineRows.sstables(node)).isEmpty();
    Set<String> failing = EngineRows.fill(cluster, EngineRows.ROWS, "b");
    long before = repeated(node);
    CompletableFuture<Void> flush;
    try (Breakpoint point = Breakpoint.ofThread(node, ENGINE + "EngineFlush", "isAbsorbed")) {
      flush = CompletableFuture.runAsync(() -> TestCluster.flush(node, KEYSPACE, "t"));
      point.awaitStop(SOON);
      point.fail();
    }
    assertThatThrownBy(flush::join).isInstanceOf(CompletionException.class);

    awaitRepeated(cluster, node, before);

    assertThat(EngineRows.sstables(node)).isNotEmpty();
    EngineRows.assertRows(cluster, EngineRows.union(stored, failing));
    // as if nothing had been
    Set<String> later = EngineRows.fill(cluster, 2 * EngineRows.ROWS, "c");
    TestCluster.flush(node, KEYSPACE, "t");
    EngineRows.assertRows(cluster, EngineRows.union(EngineRows.union(stored, failing), later));
  }

  /** Another flush was there first, and has brought the memtable to the store. */
  @Test
  void a_snapshot_without_the_stores_fails(TestCluster cluster) throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    Set<String> rows = EngineRows.fill(cluster, 0, "a");
    Path snapshots = DataFiles.directory(node, KEYSPACE, "t").resolve("snapshots");
    long before = repeated(node);
    CompletableFuture<Void> snapshot;
    try (Breakpoint point = Breakpoint.ofThread(node, ENGINE + "EngineMemtable", "shouldSwitch")) {
      snapshot = CompletableFuture.runAsync(() -> Snapshots.take(node, "without", KEYSPACE));
      point.awaitStop(SOON);
      TestCluster.flush(node, KEYSPACE, "t");
      assertThat(EngineRows.sstables(node)).isEmpty();
      point.moveTo(ENGINE + "EngineFlush", "withStored");
      point.awaitStop(SOON);
      point.fail();
    }

    assertThatThrownBy(snapshot::join).isInstanceOf(CompletionException.class);

    assertThat(snapshots.resolve("without")).doesNotExist();
    awaitRepeated(cluster, node, before);
    EngineRows.assertRows(cluster, rows);
    Snapshots.take(node, "whole", KEYSPACE);
    assertThat(DataFiles.in(snapshots.resolve("whole"))).isNotEmpty();
    EngineRows.assertRows(cluster, rows);
    Snapshots.clear(node, KEYSPACE);
  }

  private static void awaitRepeated(TestCluster cluster, Node node, long before) {
    await().atMost(SOON).until(() -> repeated(node) > before);
    await()
        .atMost(SOON)
        .until(() -> cluster.engine(node, KEYSPACE, "t").getInt("unflushed_memtables") == 0);
  }

  private static long repeated(Node node) throws IOException {
    try (Stream<String> lines = Files.lines(node.logFile())) {
      return lines.filter(line -> line.contains(REPEATED)).count();
    }
  }
}

package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Spills of stores with much in them, which are no part of a flush. Those of little are in {@link
 * EngineOperationsIT} and {@link EngineCrashIT}; what a long one holds up is in {@link
 * FlushesInOrderIT}.
 */
@OnSecondCluster(Shape.THREE_NODES)
class LargeSpillIT {
  private static final String ENGINE = "io.counterpart.cassandra.engine.";
  private static final String STORES = ENGINE + "store.TableStore";
  private static final String SPILLS = ENGINE + "flush.StoreSpill";
  private static final Duration SOON = Duration.ofSeconds(120);

  /** Rows of a spill that are written when its node dies. */
  private static final int SOME = LargeRows.ROWS / 3;

  /**
   * Where a node dies.
   *
   * @param what was done by then
   * @param type class of which the node enters a method
   * @param entries until it dies
   */
  private record Death(String what, String type, String method, int entries) {}

  /** In this order: the store stays until the last one. */
  private static final List<Death> DEATHS =
      List.of(
          new Death("some rows are written", SPILLS, "checkGoesOn", SOME),
          new Death("sstables are complete", ENGINE + "flush.RepeatedFlushes", "noteNow", 1),
          new Death("sstables are live", ENGINE + "SpillSteps", "release", 1),
          new Death("the store goes", ENGINE + "store.Generation", "delete", 1));

  private final Seed seed = Seed.of(LargeSpillIT.class);

  @BeforeEach
  void create(TestCluster cluster) {
    EngineRows.create(cluster);
  }

  @Test
  void deaths_in_a_spill_lose_nothing(TestCluster cluster) throws Exception {
    LargeRows rows = new LargeRows(cluster, "large", memtable());
    rows.store();
    Node victim = cluster.node(3);
    TestCluster.flushSchema(victim);
    int count = LargeRows.ROWS;

    for (Death death : DEATHS) {
      // what is in memory, or comes to the next store
      rows.write(count, count + 1);
      count++;
      CommitLogMarks.awaitAll(victim);
      die(victim, death);
      victim.start(StartListener.SILENT);

      rows.assertRows(count);
    }
    Snapshots.take(victim, "whole", KEYSPACE);
    rows.assertRows(count);
    Snapshots.clear(victim, KEYSPACE);
  }

  /** Writes in a store that are in the log too, or not: another way from run to run. */
  private String memtable() {
    String memtable = seed.random().nextBoolean() ? "lmdb" : EngineServers.direct("lmdb");
    System.out.printf("LargeSpillIT: nodes die with memtable = '%s'%n", memtable);
    return memtable;
  }

  private static void die(Node node, Death death) throws Exception {
    System.out.printf("LargeSpillIT: the node dies when %s%n", death.what());
    try (Breakpoint point =
        Breakpoint.ofNode(node, death.type(), death.method(), death.entries())) {
      CompletableFuture<Void> snapshot =
          CompletableFuture.runAsync(
              () -> Snapshots.take(node, "died" + System.nanoTime(), KEYSPACE));
      point.awaitKill(SOON);
      // it has lost its node
      snapshot.exceptionally(failure -> null).join();
    }
  }

  /** It asks under the lock of the table's memtables, which every flush of the table needs. */
  @Test
  void who_waits_for_a_spill_holds_up_no_flush_of_the_same_table(TestCluster cluster)
      throws Exception {
    Node node = cluster.node(1);
    LargeRows rows = new LargeRows(cluster, "large", "lmdb");
    rows.store();
    CompletableFuture<Void> truncation;
    try (Breakpoint point = Breakpoint.ofThread(node, STORES, "between")) {
      truncation =
          CompletableFuture.runAsync(() -> cluster.execute("TRUNCATE " + KEYSPACE + ".large"));
      point.awaitStop(SOON);

      CompletableFuture.runAsync(() -> TestCluster.flush(node, KEYSPACE, "large"))
          .get(SOON.toSeconds() / 2, TimeUnit.SECONDS);

      assertThat(truncation).isNotDone();
    }

    truncation.get(SOON.toSeconds(), TimeUnit.SECONDS);
    rows.assertRows(0);
    rows.write(0, 1);
    cluster.flush(KEYSPACE);
    rows.assertRows(1);
  }

  @Test
  void a_spill_that_fails_refuses_who_asked_and_loses_nothing(TestCluster cluster)
      throws Exception {
    Node node = cluster.node(1);
    LargeRows rows = new LargeRows(cluster, "large", "lmdb");
    rows.store();
    CompletableFuture<Void> snapshot;
    try (Breakpoint point = Breakpoint.ofThread(node, SPILLS, "checkGoesOn")) {
      snapshot = CompletableFuture.runAsync(() -> Snapshots.take(node, "without", KEYSPACE));
      point.awaitStop(SOON);
      point.fail();
    }

    assertThatThrownBy(snapshot::join).isInstanceOf(CompletionException.class);

    await().atMost(SOON).until(() -> DataFiles.of(node, KEYSPACE, "large").isEmpty());
    // a flush that is repeated may have left no sstable before
    await()
        .atMost(SOON)
        .until(() -> cluster.engine(node, KEYSPACE, "large").getInt("unflushed_memtables") == 0);
    rows.assertRows(LargeRows.ROWS);
    Snapshots.take(node, "whole", KEYSPACE);
    assertThat(rows.bytesInSnapshot(node, "whole")).isPositive();
    rows.assertRows(LargeRows.ROWS);
    Snapshots.clear(node, KEYSPACE);
  }

  @Test
  void a_table_leaves_its_engine_when_its_store_is_in_sstables(TestCluster cluster)
      throws Exception {
    Node node = cluster.node(1);
    LargeRows rows = new LargeRows(cluster, "large", "lmdb");
    EngineRows.table(cluster, "stock", "default", "");
    rows.store();
    try (Breakpoint point = Breakpoint.ofThread(node, STORES, "between")) {
      cluster.execute("ALTER TABLE %s.large WITH memtable = 'default'".formatted(KEYSPACE));
      point.awaitStop(SOON);
      EngineRows.fill(cluster, KEYSPACE + ".stock", 0, "a");

      CompletableFuture.runAsync(() -> TestCluster.flush(node, KEYSPACE, "stock"))
          .get(SOON.toSeconds(), TimeUnit.SECONDS);

      rows.write(LargeRows.ROWS, LargeRows.ROWS + 1);
      assertThat(cluster.isOnEngine(node, KEYSPACE, "large")).isTrue();
      rows.assertRows(LargeRows.ROWS + 1);
    }
    for (Node each : cluster.live()) {
      await().atMost(SOON).until(() -> !EngineRows.hasStore(each, "large"));
    }
    rows.assertRows(LargeRows.ROWS + 1);
  }

  /** Its flushes need no store in sstables: the spill goes on beside them. */
  @Test
  void an_index_finds_what_a_spill_has_brought_beside_it(TestCluster cluster) {
    LargeRows rows = new LargeRows(cluster, "large", "lmdb");
    cluster.execute("ALTER TABLE %s.large ADD w int".formatted(KEYSPACE));
    rows.store();
    cluster.executeAll(
        IntStream.range(0, LargeRows.ROWS)
            .mapToObj(
                id -> "UPDATE %s.large SET w = %d WHERE id = %d".formatted(KEYSPACE, id % 2, id))
            .toList());
    cluster.flush(KEYSPACE);

    cluster.execute("CREATE INDEX ON %s.large (w) USING 'sai'".formatted(KEYSPACE));

    String query = "SELECT id FROM %s.large WHERE w = 1".formatted(KEYSPACE);
    for (Node each : cluster.live()) {
      await()
          .atMost(SOON)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(cluster.query(each, DefaultConsistencyLevel.ONE, query))
                      .hasSize(LargeRows.ROWS / 2));
      assertThat(DataFiles.of(each, KEYSPACE, "large")).isNotEmpty();
    }
    rows.assertRows(LargeRows.ROWS);
  }
}

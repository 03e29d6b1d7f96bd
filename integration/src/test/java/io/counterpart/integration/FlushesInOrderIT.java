package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What flushes that take long, and openings of stores, do to other tables of a node. */
@OnSecondCluster(Shape.THREE_NODES)
class FlushesInOrderIT {
  private static final Duration SOON = Duration.ofSeconds(150);
  private static final String OPENS = "io.counterpart.engine.lmdb.LmdbStore";
  private static final String STORES = "io.counterpart.cassandra.engine.store.TableStore";
  private static final String FLUSHES = "org.apache.cassandra.db.memtable.Flushing$FlushRunnable";

  @Test
  void a_store_that_opens_slowly_holds_up_no_flush_of_another_table(TestCluster cluster)
      throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    String slow = EngineRows.table(cluster, "slow", "default", "");
    EngineRows.fill(cluster, 0, "a");
    CompletableFuture<Void> alter;
    try (Breakpoint point = Breakpoint.ofThread(node, OPENS, "open")) {
      alter =
          CompletableFuture.runAsync(
              () -> cluster.execute("ALTER TABLE " + slow + EngineRows.ENGINE));
      point.awaitStop(SOON);

      CompletableFuture.runAsync(() -> TestCluster.flush(node, KEYSPACE, "t"))
          .get(SOON.toSeconds(), TimeUnit.SECONDS);

      assertThat(alter).isNotDone();
      assertThat(cluster.engine(node, KEYSPACE, "t").getLong("partitions")).isPositive();
    }
    alter.get(SOON.toSeconds(), TimeUnit.SECONDS);
    await().atMost(SOON).until(() -> cluster.isOnEngine(node, KEYSPACE, "slow"));
  }

  /** More is written meanwhile than memtables have memory for. */
  @Test
  void a_spill_of_a_large_store_holds_up_no_writes_and_no_flush_of_another_table(
      TestCluster cluster) throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    LargeRows large = new LargeRows(cluster, "large", "lmdb");
    LargeRows stock = new LargeRows(cluster, "stock", "default");
    large.store();
    CompletableFuture<Void> snapshot;
    try (Breakpoint point = Breakpoint.ofThread(node, STORES, "between")) {
      snapshot = CompletableFuture.runAsync(() -> Snapshots.take(node, "held", KEYSPACE));
      point.awaitStop(SOON);

      CompletableFuture.runAsync(
              () -> {
                stock.write(0, LargeRows.ROWS / 2);
                TestCluster.flush(node, KEYSPACE, "stock");
              })
          .get(SOON.toSeconds(), TimeUnit.SECONDS);

      assertThat(snapshot).isNotDone();
      assertThat(DataFiles.of(node, KEYSPACE, "stock")).isNotEmpty();
    }
    snapshot.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(large.bytesInSnapshot(node, "held")).isPositive();
    large.assertRows(LargeRows.ROWS);
    stock.assertRows(LargeRows.ROWS / 2);
    Snapshots.clear(node, KEYSPACE);
  }

  /** It asks whether there is something to flush, and reads no sstables. */
  @Test
  void a_timer_of_an_empty_table_keeps_no_sstables(TestCluster cluster) {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    String idle = " AND memtable_flush_period_in_ms = 500";
    EngineRows.table(cluster, "idle", "lmdb_absorbing", idle);
    String table = EngineRows.table(cluster, "timed", "default", "");
    EngineRows.fill(cluster, table, 0, "a");
    TestCluster.flush(node, KEYSPACE, "timed");
    assertThat(DataFiles.of(node, KEYSPACE, "timed")).isNotEmpty();

    cluster.execute("ALTER TABLE " + table + " WITH memtable = 'lmdb_absorbing'");

    // absorb_sstables_after is 2 s
    await().atMost(SOON).until(() -> DataFiles.of(node, KEYSPACE, "timed").isEmpty());
  }

  /** As a repair or a stream, which reads them when its flush has its turn. */
  @Test
  void sstables_stay_while_who_wants_them_waits_for_flushes_of_other_tables(TestCluster cluster)
      throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    String table = EngineRows.table(cluster, "wanted", "lmdb_absorbing", "");
    EngineRows.table(cluster, "slow", "default", "");
    EngineRows.fill(cluster, table, 0, "a");
    EngineRows.fill(cluster, KEYSPACE + ".slow", 0, "a");
    cluster.stopCompaction(KEYSPACE, "wanted");
    Snapshots.take(node, "spilled", KEYSPACE);
    assertThat(DataFiles.of(node, KEYSPACE, "wanted")).isNotEmpty();
    EngineRows.fill(cluster, KEYSPACE + ".slow", 0, "b");
    CompletableFuture<Void> wants;
    try (Breakpoint point = Breakpoint.ofThread(node, FLUSHES, "writeSortedContents")) {
      CompletableFuture<Void> flush =
          CompletableFuture.runAsync(() -> TestCluster.flush(node, KEYSPACE, "slow"));
      point.awaitStop(SOON);
      // the table has nothing to flush: it waits for the other one, as its keyspace's tables tell
      wants = CompletableFuture.runAsync(() -> TestCluster.flush(node, KEYSPACE, "wanted"));
      await()
          .atMost(SOON)
          .until(
              () ->
                  "a spill is running"
                      .equals(cluster.engine(node, KEYSPACE, "t").getString("absorption")));
      cluster.startCompaction(KEYSPACE, "wanted");

      // absorb_sstables_after is 2 s
      await()
          .during(Duration.ofSeconds(10))
          .atMost(SOON)
          .until(() -> !DataFiles.of(node, KEYSPACE, "wanted").isEmpty());

      assertThat(wants).isNotDone();
      assertThat(flush).isNotDone();
    }
    wants.get(SOON.toSeconds(), TimeUnit.SECONDS);
    await().atMost(SOON).until(() -> DataFiles.of(node, KEYSPACE, "wanted").isEmpty());
    Snapshots.clear(node, KEYSPACE);
  }
}

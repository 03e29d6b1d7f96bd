package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A compaction that has chosen its sstables and not yet looked at a deletion in them, while the
 * table leaves its engine: the row that the deletion hides goes from the store to an sstable that
 * the compaction does not know.
 */
@OnSecondCluster(Shape.THREE_NODES)
class PurgeBesideMoveIT {
  private static final String TABLE = "moved";
  private static final String NAME = KEYSPACE + "." + TABLE;
  private static final String COMPACTIONS =
      "org.apache.cassandra.db.compaction.CompactionController";
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Deletions are past their grace after one second; a store that nobody keeps goes in another. */
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  @ParameterizedTest
  @ValueSource(strings = {"lsm", "memory"})
  void a_compaction_keeps_a_deletion_whose_row_was_in_the_store(String next, TestCluster cluster)
      throws Exception {
    EngineRows.create(cluster);
    Node node = cluster.node(1);
    String select = "SELECT ck FROM " + NAME;
    cluster.execute(
        "CREATE TABLE %s (pk int, ck int, PRIMARY KEY (pk, ck)) WITH gc_grace_seconds = 0"
            .formatted(NAME));
    cluster.stopCompaction(KEYSPACE, TABLE);
    cluster.execute("DELETE FROM " + NAME + " USING TIMESTAMP 20 WHERE pk = 1");
    TestCluster.flush(node, KEYSPACE, TABLE);
    cluster.execute("INSERT INTO " + NAME + " (pk, ck) VALUES (2, 2)");
    TestCluster.flush(node, KEYSPACE, TABLE);
    cluster.execute("ALTER TABLE " + NAME + " WITH memtable = 'lmdb'");
    cluster.execute("INSERT INTO " + NAME + " (pk, ck) VALUES (1, 1) USING TIMESTAMP 10");
    TestCluster.flush(node, KEYSPACE, TABLE);
    assertThat(DataFiles.of(node, KEYSPACE, TABLE)).hasSize(2);
    Uninterruptibles.sleepUninterruptibly(A_WHILE);

    CompletableFuture<Void> compaction;
    try (Breakpoint point = Breakpoint.ofThread(node, COMPACTIONS, "getPurgeEvaluator")) {
      compaction = CompletableFuture.runAsync(() -> compact(node));
      point.awaitStop(SOON);
      cluster.execute("ALTER TABLE %s WITH memtable = '%s'".formatted(NAME, next));
      await().atMost(SOON).until(() -> DataFiles.of(node, KEYSPACE, TABLE).size() == 3);
      Uninterruptibles.sleepUninterruptibly(A_WHILE);
      assertThat(compaction).isNotDone();
    }
    compaction.join();

    assertThat(cluster.query(node, ConsistencyLevel.ONE, select))
        .extracting(row -> row.getInt("ck"))
        .containsExactly(2);
    Path former = DataFiles.directory(node, KEYSPACE, TABLE).resolve("engine/lmdb");
    await().alias(former + " is deleted").atMost(SOON).until(() -> !Files.exists(former));
  }

  private static void compact(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          NodeJmx.STORAGE_SERVICE,
          "forceKeyspaceCompaction",
          new Object[] {false, KEYSPACE, new String[] {TABLE}},
          new String[] {"boolean", String.class.getName(), String[].class.getName()});
    }
  }
}

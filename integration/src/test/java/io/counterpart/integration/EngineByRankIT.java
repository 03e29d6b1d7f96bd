package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Primary copies in an engine's store, redundant copies in the two-layer log. */
@OnSecondCluster(Shape.THREE_NODES)
class EngineByRankIT {
  private static final String KEYSPACE = "engine_by_rank";
  private static final String TABLE = "t";
  private static final String NAME = KEYSPACE + "." + TABLE;
  private static final int ROWS = 600;
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String BY_RANK = TestCluster.byRank("lmdb_absorbing");
  private static final String STOCK =
      "memtable = 'default' AND compaction = {'class': 'UnifiedCompactionStrategy'}";

  private final Seed seed = Seed.of(EngineByRankIT.class);

  @BeforeEach
  void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
  }

  private AcknowledgedWrites table(TestCluster cluster, String with) {
    return new AcknowledgedWrites(cluster, NAME, with, ROWS, 400, seed);
  }

  private static long stored(TestCluster cluster, Node node) {
    return engine(cluster, node).getLong("partitions");
  }

  private static Row engine(TestCluster cluster, Node node) {
    return cluster.engine(node, KEYSPACE, TABLE);
  }

  /** Each row is in one store, that of its primary, and in the other nodes' sstables. */
  private static void awaitByRank(TestCluster cluster) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              long all = 0;
              for (Node node : cluster.live()) {
                Row engine = engine(cluster, node);
                assertThat(engine.getInt("stores")).as("%s", node).isEqualTo(1);
                assertThat(stored(cluster, node)).as("%s", node).isBetween(1L, (long) ROWS - 1);
                TableState state = cluster.state(node, KEYSPACE, TABLE);
                assertThat(state.mixedBytes() + state.primaryBytes() + state.widePrimaryBytes())
                    .as(state.toString())
                    .isZero();
                assertThat(state.runBytes() + state.segmentBytes())
                    .as(state.toString())
                    .isPositive();
                all += stored(cluster, node);
              }
              assertThat(all).isEqualTo(ROWS);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb_absorbing", "memory"})
  void a_flush_parts_the_copies_and_a_kill_loses_nothing(String engine, TestCluster cluster)
      throws Exception {
    AcknowledgedWrites rows = table(cluster, TestCluster.byRank(engine));
    rows.writeAllAndFlush(2);
    awaitByRank(cluster);
    rows.write(0, ROWS / 2);

    cluster.kill(cluster.node(2));
    cluster.node(2).start(StartListener.SILENT);

    rows.checkEverywhere();
    rows.writeAllAndFlush(1);
    awaitByRank(cluster);
    rows.checkEverywhere();
  }

  @Test
  void a_stock_table_changes_to_it_and_back(TestCluster cluster) {
    AcknowledgedWrites rows = table(cluster, STOCK);
    rows.writeAllAndFlush(2);

    cluster.execute("ALTER TABLE " + NAME + " WITH " + BY_RANK);
    awaitByRank(cluster);
    rows.checkEverywhere();
    rows.writeAllAndFlush(1);

    cluster.execute("ALTER TABLE " + NAME + " WITH " + STOCK);
    await()
        .atMost(LIMIT)
        .until(
            () ->
                cluster
                    .query(
                        cluster.node(1),
                        DefaultConsistencyLevel.ONE,
                        "SELECT table_name FROM counterpart.engines WHERE keyspace_name = '"
                            + KEYSPACE
                            + "'")
                    .isEmpty());
    rows.checkEverywhere();
  }

  /** What the store has of redundant copies leaves it, and the other way about. */
  @Test
  void a_table_that_was_all_in_an_engine_changes_to_it_and_back(TestCluster cluster) {
    AcknowledgedWrites rows = table(cluster, "memtable = 'lmdb_absorbing'");
    rows.writeAllAndFlush(1);
    assertThat(stored(cluster, cluster.node(1))).isEqualTo(ROWS);

    cluster.execute("ALTER TABLE " + NAME + " WITH " + BY_RANK);
    awaitByRank(cluster);
    rows.checkEverywhere();

    cluster.execute(
        "ALTER TABLE " + NAME + " WITH compaction = {'class': 'UnifiedCompactionStrategy'}");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                cluster.live().stream()
                    .allMatch(node -> DataFiles.of(node, KEYSPACE, TABLE).isEmpty()));
    rows.checkEverywhere();
  }

  /** Snapshots spill, and what they wrote is parted again, while rows change and a node dies. */
  @Test
  void nothing_is_lost_under_load(TestCluster cluster) throws Exception {
    AcknowledgedWrites rows = table(cluster, BY_RANK);
    rows.writeAllAndFlush(1);
    Node node = cluster.node(3);
    rows.start(List.of(cluster.node(1), cluster.node(2)));
    for (int i = 0; i < 3; i++) {
      TestCluster.flush(node, KEYSPACE);
      Snapshots.take(node, "load" + i, KEYSPACE);
    }
    cluster.kill(node);
    node.start(StartListener.SILENT);
    TestCluster.flush(node, KEYSPACE);
    cluster.kill(node);
    node.start(StartListener.SILENT);
    rows.stop();
    Snapshots.clear(node, KEYSPACE);

    node.nodetool("repair", "-full", KEYSPACE);
    rows.checkEverywhere();
    cluster.flush(KEYSPACE);
    awaitByRank(cluster);
    rows.checkEverywhere();
  }

  /** With a grace of zero, a write purges deletions, although there are always sstables. */
  @Test
  void deletions_leave_the_store_of_a_table_with_sstables(TestCluster cluster) {
    cluster.execute(
        "CREATE TABLE %s (pk int, ck int, v text, PRIMARY KEY (pk, ck)) WITH %s"
            .formatted(NAME, BY_RANK));
    for (int pk = 0; pk < 40; pk++) {
      cluster.execute("INSERT INTO %s (pk, ck, v) VALUES (%d, 0, 'old')".formatted(NAME, pk));
    }
    cluster.execute("DELETE FROM " + NAME + " WHERE pk = 7 AND ck > 3 AND ck < 9");
    cluster.flush(KEYSPACE);
    assertThat(withoutDeletions(cluster)).as("nodes that purged within the grace").isZero();
    cluster.execute("ALTER TABLE " + NAME + " WITH gc_grace_seconds = 0");
    long flushed = System.nanoTime();
    await().until(() -> System.nanoTime() - flushed > Duration.ofSeconds(2).toNanos());
    cluster.execute("INSERT INTO " + NAME + " (pk, ck, v) VALUES (7, 1, 'new')");
    cluster.flush(KEYSPACE);

    await().atMost(LIMIT).until(() -> withoutDeletions(cluster) == 3);
    for (Node node : cluster.live()) {
      assertThat(DataFiles.of(node, KEYSPACE, TABLE)).isNotEmpty();
      assertThat(cluster.query(node, DefaultConsistencyLevel.ONE, "SELECT * FROM " + NAME))
          .hasSize(41);
    }
  }

  /** Nodes whose own copy of the partition has no deletion, by the trace of a read. */
  private static long withoutDeletions(TestCluster cluster) {
    return cluster.live().stream()
        .filter(
            node ->
                cluster
                    .session()
                    .execute(
                        SimpleStatement.newInstance("SELECT * FROM " + NAME + " WHERE pk = 7")
                            .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                            .setNode(cluster.driverNode(node))
                            .setTracing(true))
                    .getExecutionInfo()
                    .getQueryTrace()
                    .getEvents()
                    .stream()
                    .anyMatch(event -> event.getActivity().endsWith("and 0 tombstone cells")))
        .count();
  }

  @Test
  void other_modes_have_no_ranks(TestCluster cluster) {
    assertThatThrownBy(
            () ->
                cluster.execute(
                    "CREATE TABLE %s (id int PRIMARY KEY) WITH compaction = %s"
                        .formatted(
                            NAME,
                            TestCluster.decoupled(Map.of("primary", "engine", "mode", "mlsm")))))
        .hasMessageContaining("primary")
        .hasMessageContaining("mode decoupled");
  }
}

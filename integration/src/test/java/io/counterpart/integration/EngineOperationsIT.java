package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.ENGINE;
import static io.counterpart.integration.EngineRows.KEYSPACE;
import static io.counterpart.integration.EngineRows.ROWS;
import static io.counterpart.integration.EngineRows.TABLE;
import static io.counterpart.integration.EngineRows.assertFound;
import static io.counterpart.integration.EngineRows.assertRows;
import static io.counterpart.integration.EngineRows.engine;
import static io.counterpart.integration.EngineRows.fill;
import static io.counterpart.integration.EngineRows.hasStore;
import static io.counterpart.integration.EngineRows.rows;
import static io.counterpart.integration.EngineRows.sstables;
import static io.counterpart.integration.EngineRows.table;
import static io.counterpart.integration.EngineRows.union;
import static io.counterpart.integration.EngineServers.swept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.NodeFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does to a table of an engine: nothing is lost, nothing comes back. */
@OnSecondCluster(Shape.THREE_NODES)
class EngineOperationsIT {
  /** Memory alone is {@link VolatileEngineIT}'s. */
  private static final List<String> ENGINES = EngineServers.CONFIGURATIONS;

  private static final String NO_GRACE = " AND gc_grace_seconds = 0";
  private static final Duration BETWEEN_FILLS = Duration.ofMillis(100);

  @BeforeEach
  void create(TestCluster cluster) {
    EngineRows.create(cluster);
  }

  /** Each table was left in another state. {@link EngineCrashIT} chooses the moment. */
  @Test
  void kills_lose_nothing_and_bring_nothing_back(TestCluster cluster) throws Exception {
    Map<String, Set<String>> expected = severalStates(cluster);

    Node killed = cluster.node(2);
    cluster.kill(killed);
    killed.start(StartListener.SILENT);

    expected.forEach((table, rows) -> assertRows(cluster, KEYSPACE + "." + table, rows));
    for (Node node : cluster.live()) {
      for (String engine : ENGINES) {
        EngineServers.assertAbsorbed(node, KEYSPACE, "flushed_and_written_", engine);
        assertThat(hasStore(node, "flushed_and_written_" + engine)).isTrue();
      }
    }
  }

  /**
   * Tables of every engine with rows that are flushed and rows that are not, after a truncation of
   * rows, after one of nothing, and with deletions that are purged as soon as they may be.
   *
   * @return the rows of each
   */
  private static Map<String, Set<String>> severalStates(TestCluster cluster) {
    for (String engine : ENGINES) {
      table(cluster, "flushed_and_written_" + engine, engine, "");
      table(cluster, "truncated_" + engine, engine, "");
      // before there is a second memtable, and so before anything to empty
      cluster.execute("TRUNCATE " + table(cluster, "truncated_empty_" + engine, engine, ""));
      table(cluster, "deleted_" + engine, swept(engine), NO_GRACE);
    }
    Set<String> absorbed = each(cluster, "flushed_and_written_", 0, "a");
    Set<String> empty = each(cluster, "truncated_empty_", 0, "a");
    each(cluster, "truncated_", 0, "old");
    each(cluster, "deleted_", 0, "a");
    cluster.flush(KEYSPACE);
    each(cluster, "truncated_", 40, "newer");
    ENGINES.forEach(engine -> cluster.execute("TRUNCATE " + KEYSPACE + ".truncated_" + engine));
    assertEach(cluster, "truncated_", Set.of());
    ENGINES.forEach(engine -> deleteSome(cluster, KEYSPACE + ".deleted_" + engine));
    cluster.flush(KEYSPACE);
    ENGINES.forEach(engine -> insertAgain(cluster, KEYSPACE + ".deleted_" + engine));
    cluster.flush(KEYSPACE);
    assertEach(cluster, "deleted_", afterDeletions());
    Set<String> written = union(absorbed, each(cluster, "flushed_and_written_", 100, "b"));
    Set<String> after = each(cluster, "truncated_", 200, "after");

    Map<String, Set<String>> expected = new TreeMap<>();
    for (String engine : ENGINES) {
      expected.put("flushed_and_written_" + engine, written);
      expected.put("truncated_" + engine, after);
      expected.put("truncated_empty_" + engine, empty);
      expected.put("deleted_" + engine, afterDeletions());
    }
    return expected;
  }

  /** Of each partition, one row and a range. */
  private static void deleteSome(TestCluster cluster, String table) {
    List<String> deletions = new ArrayList<>();
    for (int pk = 0; pk < ROWS / 4; pk++) {
      deletions.add("DELETE FROM %s WHERE pk = %d AND ck = 1".formatted(table, pk));
      deletions.add("DELETE FROM %s WHERE pk = %d AND ck > 2".formatted(table, pk));
    }
    cluster.executeAll(deletions);
  }

  private static void insertAgain(TestCluster cluster, String table) {
    cluster.executeAll(
        IntStream.range(0, ROWS / 4)
            .mapToObj(
                pk -> "INSERT INTO %s (pk, ck, v) VALUES (%d, 2, 'again')".formatted(table, pk))
            .toList());
  }

  private static Set<String> afterDeletions() {
    Set<String> alive = new TreeSet<>();
    for (int pk = 0; pk < ROWS / 4; pk++) {
      alive.add(pk + "/0=a");
      alive.add(pk + "/2=again");
    }
    return alive;
  }

  @Test
  void what_has_expired_leaves_the_stores_without_a_write(TestCluster cluster) {
    Map<String, Set<String>> alive = new TreeMap<>();
    for (String engine : ENGINES) {
      String name = "expiring_" + engine;
      String table = table(cluster, name, swept(engine), NO_GRACE);
      expiring(cluster, table, ROWS);
      alive.put(name, fill(cluster, table, 2 * ROWS, "alive"));
    }
    cluster.flush(KEYSPACE);

    alive.keySet().forEach(name -> awaitPartitions(cluster, name, ROWS / 4));

    alive.forEach((name, rows) -> assertRows(cluster, KEYSPACE + "." + name, rows));
    for (Node node : cluster.live()) {
      assertThat(DataFiles.of(node, KEYSPACE, "expiring_lmdb")).as("nothing spilled").isEmpty();
    }
  }

  @Test
  void a_sweep_spares_deletions_that_hide_what_is_in_sstables(TestCluster cluster) {
    List<String> engines = List.of("lmdb", EngineServers.DIRECT);
    for (String engine : engines) {
      fill(cluster, table(cluster, "hiding_" + engine, "default", NO_GRACE), 0, "old");
    }
    cluster.flush(KEYSPACE);
    for (String engine : engines) {
      String table = KEYSPACE + ".hiding_" + engine;
      cluster.execute("ALTER TABLE %s WITH memtable = '%s'".formatted(table, swept(engine)));
      cluster.executeAll(
          IntStream.range(0, ROWS / 4)
              .mapToObj(pk -> "DELETE FROM %s WHERE pk = %d".formatted(table, pk))
              .toList());
    }

    // the second sweep that purges something begins when the first one has seen all
    for (int round = 0; round < 2; round++) {
      engines.forEach(engine -> expiring(cluster, KEYSPACE + ".hiding_" + engine, ROWS));
      cluster.flush(KEYSPACE);
      engines.forEach(engine -> awaitPartitions(cluster, "hiding_" + engine, ROWS / 4));
    }

    for (String engine : engines) {
      assertThat(DataFiles.of(cluster.node(1), KEYSPACE, "hiding_" + engine)).isNotEmpty();
      assertRows(cluster, KEYSPACE + ".hiding_" + engine, Set.of());
    }
  }

  /** A row in each of a few partitions, for a second. */
  private static void expiring(TestCluster cluster, String table, int from) {
    cluster.executeAll(
        IntStream.range(from, from + ROWS / 4)
            .mapToObj(
                pk ->
                    "INSERT INTO %s (pk, ck, v) VALUES (%d, 0, 'expires') USING TTL 1"
                        .formatted(table, pk))
            .toList());
  }

  private static void awaitPartitions(TestCluster cluster, String table, long expected) {
    for (Node node : cluster.live()) {
      await()
          .alias(table + " on " + node)
          // a sweep that failed on a server rests for a minute
          .atMost(Duration.ofSeconds(150))
          .untilAsserted(
              () ->
                  assertThat(cluster.engine(node, KEYSPACE, table).getLong("partitions"))
                      .isEqualTo(expected));
    }
  }

  @Test
  void the_virtual_table_shows_where_flushes_go(TestCluster cluster) {
    fill(cluster, 0, "a");
    cluster.flush(KEYSPACE);

    Row row = engine(cluster);
    assertThat(row.getString("engine")).isEqualTo("lmdb");
    assertThat(row.getString("state")).isEqualTo("absorbing: routine");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(engine(cluster).getString("sweep"))
                    .isEqualTo(
                        "the last sweep, or the opening of the table, is less than 3600 s ago"));
    assertThat(row.getInt("stores")).isEqualTo(1);
    assertThat(row.getLong("partitions")).isEqualTo(ROWS / 4);
    assertThat(row.getLong("used_bytes")).isPositive();

    cluster.execute("CREATE INDEX ON " + TABLE + " (v)");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(engine(cluster).getString("state"))
                    .startsWith("spilling: the table has"));
  }

  /** Of a table without data nothing has to be flushed that would be logged. */
  @Test
  void the_log_says_that_a_table_with_an_index_is_on_sstables(TestCluster cluster) {
    cluster.execute(
        "CREATE TABLE %s.indexed (pk int PRIMARY KEY, v text)%s".formatted(KEYSPACE, ENGINE));
    cluster.execute("CREATE INDEX ON %s.indexed (v) USING 'sai'".formatted(KEYSPACE));

    for (Node node : cluster.live()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(node.logFile())
                      .content()
                      .contains(
                          "Flushes of %s.indexed write sstables: the table has an index"
                              .formatted(KEYSPACE)));
    }
  }

  @Test
  void spills_between_flushes_under_load_lose_nothing(TestCluster cluster) throws Exception {
    Node node = cluster.node(1);
    Set<String> written = new TreeSet<>();
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int from = 0; !stop.get(); from += ROWS) {
                written.addAll(fill(cluster, from, "v" + from));
                // the nodes need the processors too
                LockSupport.parkNanos(BETWEEN_FILLS.toNanos());
              }
            });
    for (int i = 0; i < 5; i++) {
      TestCluster.flush(node, KEYSPACE);
      Snapshots.take(node, "spill" + i, KEYSPACE);
    }
    stop.set(true);
    writer.join();
    Snapshots.clear(node, KEYSPACE);
    assertRows(cluster, written);

    cluster.kill(node);
    node.start(StartListener.SILENT);

    assertRows(cluster, written);
  }

  @Test
  void drop_deletes_the_store(TestCluster cluster) {
    fill(cluster, 0, "a");
    cluster.flush(KEYSPACE);
    List<Path> directories = new ArrayList<>();
    cluster.live().forEach(node -> directories.add(DataFiles.directory(node, KEYSPACE, "t")));

    cluster.execute("DROP TABLE " + TABLE);

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(directories)
                    .noneMatch(directory -> Files.exists(directory.resolve("engine"))));
  }

  @Test
  void a_snapshot_has_all_rows_and_the_table_goes_on(TestCluster cluster) throws Exception {
    Node node = cluster.node(1);
    for (String engine : ENGINES) {
      table(cluster, "snapped_" + engine, engine, "");
    }
    Set<String> absorbed = each(cluster, "snapped_", 0, "a");
    cluster.flush(KEYSPACE);

    node.nodetool("snapshot", "-t", "before", KEYSPACE);
    for (String engine : ENGINES) {
      String table = "snapped_" + engine;
      cluster.execute("TRUNCATE " + KEYSPACE + "." + table);
      DataFiles.restore(node, KEYSPACE, table, "before");
      assertThat(rows(cluster, KEYSPACE + "." + table, node)).as(table).isEqualTo(absorbed);
    }
    Set<String> later = each(cluster, "snapped_", 300, "b");
    cluster.flush(KEYSPACE);
    for (String engine : ENGINES) {
      assertThat(rows(cluster, KEYSPACE + ".snapped_" + engine, node))
          .as(engine)
          .isEqualTo(union(absorbed, later));
    }
    Snapshots.clear(node, KEYSPACE);
  }

  /** Fills a table of each engine. */
  private static Set<String> each(TestCluster cluster, String prefix, int from, String value) {
    ENGINES.forEach(engine -> fill(cluster, KEYSPACE + "." + prefix + engine, from, value));
    return EngineRows.rows(from, value);
  }

  @Test
  void an_index_finds_what_was_absorbed_and_the_table_stays_on_sstables(TestCluster cluster)
      throws Exception {
    fill(cluster, 0, "old");
    cluster.flush(KEYSPACE);

    cluster.execute("CREATE INDEX ON " + TABLE + " (v) USING 'sai'");
    assertFound(cluster, "old", ROWS);
    fill(cluster, 100, "new");
    cluster.flush(KEYSPACE);
    assertFound(cluster, "new", ROWS);

    cluster.live().forEach(node -> assertThat(sstables(node)).isNotEmpty());
    for (Node node : cluster.live()) {
      assertThat(node.logFile())
          .as("a build beside the first one waits for it")
          .content()
          .doesNotContainPattern("Cannot build the index \\S+ of " + TABLE);
    }
  }

  @Test
  void a_legacy_index_finds_what_was_absorbed(TestCluster cluster) {
    fill(cluster, 0, "old");
    cluster.flush(KEYSPACE);
    cluster.execute("CREATE INDEX ON " + TABLE + " (v)");
    assertFound(cluster, "old", ROWS);
    fill(cluster, 100, "new");
    cluster.flush(KEYSPACE);
    assertFound(cluster, "new", ROWS);
  }

  @Test
  void a_view_shows_what_was_absorbed(TestCluster cluster) {
    fill(cluster, 0, "old");
    cluster.flush(KEYSPACE);

    cluster.execute(
        ("CREATE MATERIALIZED VIEW %s.by_value AS SELECT * FROM %s"
                + " WHERE pk IS NOT NULL AND ck IS NOT NULL AND v IS NOT NULL"
                + " PRIMARY KEY (v, pk, ck)")
            .formatted(KEYSPACE, TABLE));
    fill(cluster, 100, "new");
    cluster.flush(KEYSPACE);

    for (String value : List.of("old", "new")) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(
                          cluster.query(
                              cluster.node(1),
                              DefaultConsistencyLevel.QUORUM,
                              "SELECT pk FROM %s.by_value WHERE v = '%s'"
                                  .formatted(KEYSPACE, value)))
                      .hasSize(ROWS));
    }
  }

  @Test
  void alter_moves_the_data_out_of_the_engine_and_back(TestCluster cluster) throws Exception {
    Set<String> first = fill(cluster, 0, "a");
    cluster.flush(KEYSPACE);

    cluster.execute("ALTER TABLE " + TABLE + " WITH memtable = 'default'");
    for (Node node : cluster.live()) {
      await().atMost(Duration.ofSeconds(60)).until(() -> !hasStore(node));
      assertThat(sstables(node)).isNotEmpty();
    }
    assertRows(cluster, first);
    Set<String> all = union(first, fill(cluster, 100, "b"));
    cluster.execute("ALTER TABLE " + TABLE + ENGINE);
    all = union(all, fill(cluster, 200, "c"));
    cluster.flush(KEYSPACE);
    cluster.node(2).stop();
    cluster.node(2).start(StartListener.SILENT);

    assertRows(cluster, all);
    cluster.live().forEach(node -> assertThat(hasStore(node)).isTrue());
  }

  @Test
  void columns_may_be_added_and_dropped(TestCluster cluster) {
    fill(cluster, 0, "a");
    cluster.flush(KEYSPACE);

    cluster.execute("ALTER TABLE " + TABLE + " ADD w int");
    cluster.execute("INSERT INTO " + TABLE + " (pk, ck, w) VALUES (0, 0, 7)");
    cluster.flush(KEYSPACE);
    Row row = only(cluster, "SELECT v, w FROM " + TABLE + " WHERE pk = 0 AND ck = 0");
    assertThat(row.getString("v")).isEqualTo("a");
    assertThat(row.getInt("w")).isEqualTo(7);

    cluster.execute("ALTER TABLE " + TABLE + " DROP v");
    assertThat(only(cluster, "SELECT w FROM " + TABLE + " WHERE pk = 0 AND ck = 0").getInt("w"))
        .isEqualTo(7);
    cluster.flush(KEYSPACE);
    assertThat(only(cluster, "SELECT * FROM " + TABLE + " WHERE pk = 0 AND ck = 1").size())
        .isEqualTo(3);
  }

  private static Row only(TestCluster cluster, String query) {
    List<Row> rows = cluster.query(cluster.node(1), DefaultConsistencyLevel.ALL, query);
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  /** An incremental one too, for which all that is read goes to sstables first. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void repair_brings_a_wiped_node_back(boolean isFull, TestCluster cluster) throws Exception {
    for (String engine : ENGINES) {
      table(cluster, "wiped_" + engine, engine, "");
    }
    Set<String> rows = each(cluster, "wiped_", 0, "a");
    cluster.flush(KEYSPACE);
    Node wiped = cluster.node(3);
    wiped.stop();
    for (String engine : ENGINES) {
      NodeFiles.deleteTree(
          DataFiles.directory(wiped, KEYSPACE, "wiped_" + engine).resolve("engine"));
    }
    wiped.start(StartListener.SILENT);
    for (String engine : ENGINES) {
      assertThat(rows(cluster, KEYSPACE + ".wiped_" + engine, wiped)).as(engine).isEmpty();
    }

    if (isFull) {
      wiped.nodetool("repair", "-full", KEYSPACE);
    } else {
      wiped.nodetool("repair", KEYSPACE);
    }

    assertEach(cluster, "wiped_", rows);
    Set<String> all = union(rows, each(cluster, "wiped_", 100, "b"));
    cluster.flush(KEYSPACE);
    assertEach(cluster, "wiped_", all);
  }

  private static void assertEach(TestCluster cluster, String prefix, Set<String> expected) {
    ENGINES.forEach(engine -> assertRows(cluster, KEYSPACE + "." + prefix + engine, expected));
  }

  @Test
  void an_engine_that_the_class_path_lacks_is_refused(TestCluster cluster) {
    assertThatThrownBy(
            () ->
                cluster.execute(
                    "CREATE TABLE "
                        + KEYSPACE
                        + ".u (pk int PRIMARY KEY) WITH memtable = 'absent'"))
        .hasMessageContaining("absent")
        .hasMessageContaining("lmdb");
  }
}

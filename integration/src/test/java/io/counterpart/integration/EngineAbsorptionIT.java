package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.lab.remote.EngineMigration;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.setup.RunRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sstables of a table on an engine go into its store in the background. */
@OnSecondCluster(Shape.THREE_NODES)
class EngineAbsorptionIT {
  private static final String KEYSPACE = "engine_absorption";
  private static final String TABLE = KEYSPACE + ".t";
  private static final String ON_ENGINE = "ALTER TABLE " + TABLE + " WITH memtable = ";
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(3);
  private static final int ROWS = 80;

  @BeforeEach
  void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    cluster.execute(
        "CREATE TABLE " + TABLE + " (pk int, ck int, s int static, v text, PRIMARY KEY (pk, ck))");
  }

  private static void fill(TestCluster cluster, int from, String value) {
    for (int i = from; i < from + ROWS; i++) {
      cluster.execute(
          "INSERT INTO %s (pk, ck, s, v) VALUES (%d, %d, %d, '%s')"
              .formatted(TABLE, i / 8, i % 8, i / 8, value));
    }
  }

  /** What one node answers, by its own copy. */
  private static Set<String> rows(TestCluster cluster, Node node) {
    return cluster
        .query(node, DefaultConsistencyLevel.ONE, "SELECT pk, ck, s, v FROM " + TABLE)
        .stream()
        .map(Row::getFormattedContents)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void assertRows(TestCluster cluster, Set<String> expected) {
    for (Node node : cluster.live()) {
      assertThat(rows(cluster, node)).as("on %s", node).isEqualTo(expected);
    }
  }

  private static boolean hasSSTables(Node node) {
    return !DataFiles.of(node, KEYSPACE, "t").isEmpty();
  }

  private static void awaitAbsorbed(TestCluster cluster) {
    await()
        .alias("sstables are gone")
        .atMost(LIMIT)
        .until(() -> cluster.live().stream().noneMatch(EngineAbsorptionIT::hasSSTables));
  }

  /** Several sstables with deletions of all kinds that hide rows of older ones. */
  private static Set<String> stockData(TestCluster cluster) {
    fill(cluster, 0, "a");
    cluster.flush(KEYSPACE);
    fill(cluster, ROWS / 2, "b");
    cluster.execute("DELETE FROM " + TABLE + " WHERE pk = 0");
    cluster.execute("DELETE FROM " + TABLE + " WHERE pk = 1 AND ck > 2 AND ck <= 5");
    cluster.execute("DELETE FROM " + TABLE + " WHERE pk = 2 AND ck = 7");
    cluster.execute("DELETE v FROM " + TABLE + " WHERE pk = 3 AND ck = 1");
    cluster.flush(KEYSPACE);
    cluster.execute("INSERT INTO " + TABLE + " (pk, ck, v) VALUES (0, 9, 'again')");
    cluster.flush(KEYSPACE);
    return rows(cluster, cluster.node(1));
  }

  @Test
  void a_stock_table_moves_into_the_engine_and_back(TestCluster cluster) throws Exception {
    Set<String> rows = stockData(cluster);
    assertThat(hasSSTables(cluster.node(1))).isTrue();

    cluster.execute(ON_ENGINE + "'lmdb_absorbing'");
    awaitAbsorbed(cluster);

    assertRows(cluster, rows);
    Row report =
        cluster
            .query(
                cluster.node(2),
                DefaultConsistencyLevel.ONE,
                "SELECT * FROM counterpart.engines WHERE keyspace_name = '" + KEYSPACE + "'")
            .get(0);
    assertThat(report.getInt("sstables")).isZero();
    assertThat(report.getLong("partitions")).isPositive();
    assertThat(report.getString("absorption")).isEqualTo("sstables are read into the store");
    cluster.kill(cluster.node(2));
    cluster.node(2).start(StartListener.SILENT);
    assertRows(cluster, rows);

    cluster.execute(ON_ENGINE + "'default'");

    await()
        .atMost(LIMIT)
        .until(() -> cluster.live().stream().allMatch(EngineAbsorptionIT::hasSSTables));
    assertRows(cluster, rows);
    cluster.kill(cluster.node(3));
    cluster.node(3).start(StartListener.SILENT);
    assertRows(cluster, rows);
  }

  @Test
  void the_command_s_migration_ends_when_every_node_is_done(TestCluster cluster) {
    Set<String> rows = stockData(cluster);
    assertThatThrownBy(() -> migration(cluster, "nonsense").close())
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("nonsense")
        .hasMessageContaining("127.0.0.");

    for (String engine : List.of("lmdb_absorbing", "lsm")) {
      try (EngineMigration migration = migration(cluster, engine)) {
        assertThat(migration.begin()).isTrue();
        assertThat(migration.begin()).as("again").isFalse();
        await()
            .atMost(LIMIT)
            .until(() -> migration.progress().stream().allMatch(EngineMigration.Progress::isDone));
      }
      int expected = engine.equals("lsm") ? cluster.live().size() : 0;
      // files of sstables that are no more go a moment later
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  cluster.live().stream().filter(EngineAbsorptionIT::hasSSTables).count()
                      == expected);
      assertRows(cluster, rows);
    }
  }

  private static EngineMigration migration(TestCluster cluster, String engine) {
    Node first = cluster.node(1);
    RemoteAccess access =
        new RemoteAccess(
            List.of(new ContactPoint(first.address(), first.cqlPort())),
            null,
            null,
            OptionalInt.empty(),
            null);
    return EngineMigration.open(access, KEYSPACE, "t", engine);
  }

  @Test
  void a_snapshot_keeps_all_and_its_sstables_go_back(TestCluster cluster) throws Exception {
    cluster.execute(ON_ENGINE + "'lmdb_absorbing'");
    Set<String> rows = stockData(cluster);
    awaitAbsorbed(cluster);

    for (Node node : cluster.live()) {
      Snapshots.take(node, "all", KEYSPACE);
    }

    awaitAbsorbed(cluster);
    assertRows(cluster, rows);
    assertThat(
            DataFiles.directory(cluster.node(1), KEYSPACE, "t").resolve("snapshots/all").toFile())
        .isNotEmptyDirectory();
  }

  @Test
  void a_truncation_meanwhile_brings_nothing_back(TestCluster cluster) throws Exception {
    stockData(cluster);
    cluster.execute(ON_ENGINE + "'lmdb_absorbing'");

    cluster.execute("TRUNCATE " + TABLE);

    assertRows(cluster, Set.of());
    fill(cluster, 0, "new");
    Set<String> rows = rows(cluster, cluster.node(1));
    awaitAbsorbed(cluster);
    assertThat(rows).hasSize(ROWS);
    assertRows(cluster, rows);
    cluster.kill(cluster.node(1));
    cluster.node(1).start(StartListener.SILENT);
    assertRows(cluster, rows);
  }

  /**
   * Into the engine and out of it again and again, with snapshots and a kill, while rows change.
   */
  @Test
  void nothing_is_lost_under_load(TestCluster cluster) throws Exception {
    fill(cluster, 0, "a");
    cluster.flush(KEYSPACE);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> written =
        CompletableFuture.supplyAsync(
            () -> {
              int number = 0;
              while (!done.get()) {
                cluster.execute(
                    "INSERT INTO %s (pk, ck, s, v) VALUES (%d, %d, %d, 'n%d')"
                        .formatted(TABLE, 100 + number % 50, number, number, number));
                number++;
                // the nodes need the processors too
                LockSupport.parkNanos(PAUSE.toNanos());
              }
              return number;
            });
    for (int round = 0; round < 3; round++) {
      cluster.execute(ON_ENGINE + "'lmdb_absorbing'");
      Snapshots.take(cluster.node(2), "round" + round, KEYSPACE);
      cluster.flush(KEYSPACE);
      Thread.sleep(4_000);
      cluster.execute(ON_ENGINE + "'lsm'");
    }
    done.set(true);
    int count = written.get();
    // maybe while its store goes to sstables
    cluster.kill(cluster.node(3));
    cluster.node(3).start(StartListener.SILENT);

    for (Node node : cluster.live()) {
      Set<String> rows = rows(cluster, node);
      assertThat(rows).as("on %s", node).hasSize(ROWS + count);
    }
    cluster.execute(ON_ENGINE + "'lmdb_absorbing'");
    awaitAbsorbed(cluster);
    for (Node node : cluster.live()) {
      assertThat(rows(cluster, node)).as("on %s", node).hasSize(ROWS + count);
    }
  }
}

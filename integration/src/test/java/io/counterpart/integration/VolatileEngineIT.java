package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stores in memory alone: a node that has lost them answers nothing wrong, and gets them back. */
@OnSecondCluster(Shape.THREE_NODES)
class VolatileEngineIT {
  private static final String KEYSPACE = "volatile_engine";
  private static final String TABLE = "t";
  private static final String NAME = KEYSPACE + "." + TABLE;
  private static final String OPTIONS = "memtable = '" + EngineServers.VOLATILE + "'";
  private static final String STOCK_SNITCH =
      "org.apache.cassandra.locator.GossipingPropertyFileSnitch";
  private static final String REBUILD = "io.counterpart.cassandra.cold.Rebuild";
  private static final Path SCRATCH = Path.of("target/volatile-engine-it").toAbsolutePath();
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int ROWS = 300;
  private static final int READS = 20;

  private final Seed seed = Seed.of(VolatileEngineIT.class);

  @BeforeEach
  void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
  }

  private AcknowledgedWrites table(TestCluster cluster, int valueBytes) {
    return new AcknowledgedWrites(cluster, NAME, OPTIONS, ROWS, valueBytes, seed);
  }

  @Test
  void a_killed_node_answers_no_read_until_it_has_its_data_again(TestCluster cluster)
      throws Exception {
    AcknowledgedWrites rows = table(cluster, 200);
    rows.writeAllAndFlush(1);
    Node node = cluster.node(3);
    assertThat(DataFiles.of(node, KEYSPACE, TABLE)).isEmpty();
    rows.start(List.of(cluster.node(1), cluster.node(2)));
    loseMemory(cluster, node);
    try (Breakpoint rebuild = startBeforeRebuild(node)) {
      // once more, with the writes that it got while it was cold
      loseMemory(cluster, node);
    }
    PrimaryFirstSnitchIT.setSnitch(cluster.node(1), PrimaryFirstSnitchIT.SNITCH);
    try (Breakpoint rebuild = startBeforeRebuild(node)) {
      awaitGossip(cluster, "counterpart:cold");
      readAroundColdNode(cluster, rows);
    }
    awaitWarm(cluster);
    rows.stop();

    PrimaryFirstSnitchIT.setSnitch(cluster.node(1), STOCK_SNITCH);
    // the third copy may be late
    await().atMost(LIMIT).pollDelay(Duration.ZERO).untilAsserted(rows::checkEverywhere);
    cluster.flush(KEYSPACE);
    rows.checkEverywhere();
  }

  /**
   * A node that serves, and whose rebuild begins when what is returned is closed: else it may have
   * all of it before a test has done anything.
   */
  private static Breakpoint startBeforeRebuild(Node node) throws Exception {
    CompletableFuture<Void> start =
        CompletableFuture.runAsync(() -> node.start(StartListener.SILENT));
    // a JVM that has just been forked may not stand it that somebody asks
    await().atMost(LIMIT).until(() -> node.isAlive() && Files.exists(node.logFile()));
    Breakpoint rebuild =
        await()
            .atMost(LIMIT)
            .pollInterval(PAUSE)
            .ignoreExceptions()
            .until(() -> Breakpoint.ofThread(node, REBUILD, "run"), Objects::nonNull);
    rebuild.awaitStop(LIMIT);
    start.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return rebuild;
  }

  /**
   * At QUORUM through a node that knows of a cold one. One may fail: nodes with a stock snitch are
   * back for a moment before they tell that they are cold.
   */
  private static void readAroundColdNode(TestCluster cluster, AcknowledgedWrites rows) {
    int failed = 0;
    for (int read = 0; read < READS; read++) {
      LockSupport.parkNanos(PAUSE.toNanos());
      try {
        rows.check(cluster.node(1), DefaultConsistencyLevel.QUORUM);
      } catch (DriverException e) {
        failed++;
      }
    }
    assertThat(failed).as("failed reads of %d", READS).isLessThan(2);
  }

  private static void awaitGossip(TestCluster cluster, String word) {
    await()
        .atMost(LIMIT)
        // a busy node resets connections now and then
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(() -> gossip(cluster).contains(word));
  }

  /** What node 1 knows of all. */
  private static String gossip(TestCluster cluster) {
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      return String.valueOf(
          jmx.attribute("org.apache.cassandra.net:type=FailureDetector", "AllEndpointStates"));
    }
  }

  /** Which of two nodes has the last copy is not known until both are there. */
  @Test
  void a_node_stays_cold_while_another_copy_is_away(TestCluster cluster) throws Exception {
    AcknowledgedWrites rows = table(cluster, 200);
    rows.writeAllAndFlush(1);
    Node node = cluster.node(3);
    Node other = cluster.node(2);
    cluster.kill(other);
    loseMemory(cluster, node);
    node.start(StartListener.SILENT);
    for (String engine : List.of("lmdb", "lsm")) {
      cluster.execute("ALTER TABLE " + NAME + " WITH memtable = '" + engine + "'");
      TestCluster.flush(node, KEYSPACE);
      assertThatThrownBy(() -> rows.check(node, DefaultConsistencyLevel.ONE))
          .isInstanceOf(DriverException.class);
    }
    cluster.execute("ALTER TABLE " + NAME + " WITH memtable = 'lmdb'");
    String contact = "--contact-points=127.0.0.3:" + node.cqlPort();
    assertThat(new Launcher(SCRATCH).run("doctor", contact).out())
        .containsPattern("storage engines on .*127.0.0.3.*: " + NAME + ": cold");
    assertThat(isCold(cluster, node)).isTrue();
    assertThatThrownBy(() -> rows.check(node, DefaultConsistencyLevel.ONE))
        .isInstanceOf(DriverException.class);
    assertThatThrownBy(() -> rows.check(cluster.node(1), DefaultConsistencyLevel.QUORUM))
        .isInstanceOf(DriverException.class);
    rows.check(cluster.node(1), DefaultConsistencyLevel.ONE);
    awaitGossip(cluster, NAME + " is cold: its store was");

    other.start(StartListener.SILENT);
    awaitWarm(cluster);
    rows.checkEverywhere();
  }

  @Test
  void a_node_that_stops_in_good_order_has_its_data_at_once(TestCluster cluster) throws Exception {
    AcknowledgedWrites rows = table(cluster, 200);
    rows.writeAllAndFlush(1);
    rows.writeAll();
    Node node = cluster.node(2);

    node.stop();
    node.start(StartListener.SILENT);

    assertThat(isCold(cluster, node)).isFalse();
    rows.checkEverywhere();
  }

  @Test
  void what_does_not_fit_goes_to_sstables(TestCluster cluster) throws Exception {
    AcknowledgedWrites rows = table(cluster, 12_000);
    rows.writeAllAndFlush(2);
    rows.checkEverywhere();
    for (Node node : cluster.live()) {
      await().atMost(LIMIT).until(() -> engine(cluster, node).getLong("disk_bytes") < 2 << 20);
      assertThat(DataFiles.of(node, KEYSPACE, TABLE)).isNotEmpty();
    }
    rows.checkEverywhere();
  }

  /**
   * Its sstables stay, as memory has no room for them: with the deletions in memory alone, a kill
   * would leave the rows, and the rebuild bring them to nodes that have purged both.
   */
  @Test
  void a_deletion_of_what_stays_in_sstables_outlives_a_kill(TestCluster cluster) throws Exception {
    AcknowledgedWrites rows = table(cluster, 12_000);
    cluster.execute("ALTER TABLE " + NAME + " WITH gc_grace_seconds = 1");
    rows.writeAllAndFlush(1);
    Node node = cluster.node(3);
    assertThat(DataFiles.of(node, KEYSPACE, TABLE)).isNotEmpty();
    deletionsOutliveAKill(cluster, node, rows);
  }

  @Test
  void a_deletion_outlives_a_kill_where_no_sstable_may_be_taken_in(TestCluster cluster)
      throws Exception {
    AcknowledgedWrites rows = table(cluster, 200);
    cluster.execute("ALTER TABLE " + NAME + " WITH gc_grace_seconds = 1");
    Node node = cluster.node(3);
    node.nodetool("disableautocompaction", KEYSPACE, TABLE);
    rows.writeAllAndFlush(1);
    Snapshots.take(node, "before-deletions", KEYSPACE);
    assertThat(DataFiles.of(node, KEYSPACE, TABLE)).isNotEmpty();
    deletionsOutliveAKill(cluster, node, rows);
  }

  /** Of a node, where the others have purged rows and deletions. */
  private void deletionsOutliveAKill(TestCluster cluster, Node node, AcknowledgedWrites rows)
      throws Exception {
    rows.deleteSome(seed.random());
    cluster.flush(KEYSPACE);
    TimeUnit.SECONDS.sleep(2); // past the grace
    for (Node other : List.of(cluster.node(1), cluster.node(2))) {
      Snapshots.take(other, "before-purge", KEYSPACE);
      other.nodetool("compact", KEYSPACE, TABLE);
    }

    loseMemory(cluster, node);
    node.start(StartListener.SILENT);

    awaitWarm(cluster);
    rows.checkEverywhere();
  }

  @Test
  void direct_writes_are_refused(TestCluster cluster) {
    assertThatThrownBy(
            () ->
                cluster.execute(
                    "CREATE TABLE "
                        + NAME
                        + " (id int PRIMARY KEY) WITH memtable = 'volatile_direct'"))
        .hasMessageContaining("'mode' is 'direct'")
        .hasMessageContaining("buffered");
  }

  /** What a loss of power takes, too: nothing is left of the writes that memory had. */
  private static void loseMemory(TestCluster cluster, Node node) throws IOException {
    cluster.kill(node);
    DataFiles.deleteCommitLog(node);
  }

  private static void awaitWarm(TestCluster cluster) {
    await()
        .atMost(LIMIT)
        .until(() -> cluster.live().stream().noneMatch(node -> isCold(cluster, node)));
  }

  private static boolean isCold(TestCluster cluster, Node node) {
    return cluster.isCold(node, KEYSPACE, TABLE);
  }

  private static Row engine(TestCluster cluster, Node node) {
    return cluster.engine(node, KEYSPACE, TABLE);
  }
}

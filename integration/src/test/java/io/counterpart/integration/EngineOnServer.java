package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.QueryHandlerOptions;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A real node whose table is on a real server of an engine, which is killed and hangs meanwhile.
 */
abstract class EngineOnServer {
  private static final String TABLE = "on_server";
  private static final String BYPASSING = "bypassing";
  private static final String LEAVING = "leaving";
  private static final String REPEATED = " that failed has been repeated";
  private static final String WAITING = "The start of this node waits for the server";
  private static final Map<String, String> PATIENT =
      Map.of("retry_ms", "120000", "absorb_sstables_after", "1s");
  private static final Map<String, String> IMPATIENT =
      Map.of("retry_ms", "500", "timeout_ms", "2000", "absorb_sstables_after", "1s");
  private static final int ROWS = 300;
  private static final int VALUE_BYTES = 400;

  /** Twice the memory of memtables. */
  private static final int LARGE_ROWS = 1600;

  private static final int LARGE_BYTES = 20_000;

  /** Less than the patience of a flush. */
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final Duration START = Duration.ofMinutes(3);

  /** A flush waits so long for one answer: the engines' own {@code timeout_ms}. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final String keyspace;
  private final String engine;
  private final Seed seed = Seed.of(getClass());

  /**
   * @param engine name
   */
  EngineOnServer(String engine) {
    this.engine = engine;
    this.keyspace = "engine_" + engine;
  }

  @Test
  void a_killed_server_loses_nothing_and_holds_no_other_table_up() throws Exception {
    EngineServers.require(engine);
    ClusterSpec spec = spec();
    ServerStores stores = ServerStores.of(spec, 1, keyspace);
    try (TestCluster cluster = TestCluster.start(spec)) {
      Node node = cluster.node(1);
      cluster.createKeyspace(keyspace, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
      AcknowledgedWrites onServer = table(cluster, TABLE, "memtable = '" + patient() + "'");
      AcknowledgedWrites stock = table(cluster, "stock", "memtable = 'default'");
      AcknowledgedWrites direct = table(cluster, "direct", "memtable = '" + direct() + "'");
      AcknowledgedWrites bypassing = table(cluster, BYPASSING, "memtable = '" + impatient() + "'");
      onServer.writeAll();
      cluster.flush(keyspace);

      assertThat(DataFiles.of(node, keyspace, TABLE)).isEmpty();
      // a header for each row, and the state
      assertThat(stores.entries()).isEqualTo(ROWS + 1);
      onServer.checkEverywhere();
      direct.writeAll();
      // without a flush
      assertThat(stores.entries()).isGreaterThan(2 * ROWS);

      onServer.start(cluster.live());
      direct.start(cluster.live());
      awaitWrites(onServer, ROWS);
      awaitWrites(direct, ROWS + 50);
      serverOf(node).kill();
      // those under way fail, or not, in a bounded time
      direct.stop();
      CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, TABLE));
      awaitWrites(onServer, onServer.count() + ROWS);
      assertThat(flush).isNotDone();
      checkNobodyWaits(cluster, stock);
      flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
      assertThat(DataFiles.of(node, keyspace, TABLE)).isNotEmpty();
      assertThatThrownBy(() -> readOnce(cluster, TABLE)).isInstanceOf(ReadFailureException.class);
      assertThatThrownBy(
              () -> cluster.execute("INSERT INTO %s.direct (id) VALUES (-1)".formatted(keyspace)))
          .isInstanceOfAny(WriteFailureException.class, WriteTimeoutException.class);

      node.servers().start();

      awaitWrites(onServer, onServer.count() + ROWS);
      checkHangingServer(cluster, onServer, stock);
      onServer.stop();
      checkSlowServer(cluster, onServer, bypassing);
      checkReadsBesideSlowServer(cluster);
      onServer.checkEverywhere();
      await()
          .atMost(SOON)
          .ignoreExceptionsMatching(DriverException.class::isInstance)
          .untilAsserted(
              () -> cluster.execute("DELETE FROM %s.direct WHERE id = -1".formatted(keyspace)));
      direct.checkEverywhere();
      direct.writeAll();
      direct.checkEverywhere();
      cluster.flush(keyspace);
      awaitAbsorbed(node, TABLE);
      awaitAbsorbed(node, BYPASSING);
      new RefusedFlush(cluster, stores).check(BYPASSING, bypassing, direct, stock);
      new CutOffSpill(cluster, keyspace).check(impatient(), serverOf(node), seed);

      AcknowledgedWrites leaving = table(cluster, LEAVING, "memtable = '" + impatient() + "'");
      leaving.writeAll();
      flush(node, LEAVING);
      // of many rows the store has the only version
      leaving.write(0, ROWS / 2);
      checkBypass(cluster, bypassing, leaving);
      checkLeaving(cluster, leaving);

      leaving.checkEverywhere();
      onServer.checkEverywhere();
      stock.checkEverywhere();
      direct.checkEverywhere();
      bypassing.checkEverywhere();
      cluster.execute("DROP TABLE " + keyspace + "." + TABLE);
      cluster.execute("DROP TABLE " + keyspace + "." + BYPASSING);
      cluster.execute("DROP TABLE " + keyspace + ".direct");
      // that of the table that was dropped while the server was away stays: its rows and a state
      await().atMost(SOON).until(() -> stores.entries() == ROWS + 1);
      ProcessIdentity server = serverOf(node);
      node.stop();
      assertThat(server.isAlive()).isFalse();
    }
  }

  /**
   * A flush waits for the server, for longer than anything else may take, until somebody waits for
   * it: another flush, a change of the schema, or writes to other tables once memory is full.
   */
  private void checkNobodyWaits(TestCluster cluster, AcknowledgedWrites stock) throws Exception {
    checkOtherTableGoesOn(cluster, stock).get(SOON.toSeconds(), TimeUnit.SECONDS);
    AcknowledgedWrites large = largeTable(cluster);
    large.writeAll();
    large.checkEverywhere();
    cluster.execute("DROP TABLE " + keyspace + ".large");
  }

  private AcknowledgedWrites largeTable(TestCluster cluster) {
    return new AcknowledgedWrites(
        cluster, keyspace + ".large", "memtable = 'default'", LARGE_ROWS, LARGE_BYTES, seed);
  }

  /**
   * It answers all, and takes long: the flushes of two tables have all of Cassandra's flush
   * writers. Writes to others do not wait for them.
   */
  private void checkSlowServer(
      TestCluster cluster, AcknowledgedWrites first, AcknowledgedWrites second) throws Exception {
    Node node = cluster.node(1);
    AcknowledgedWrites large = largeTable(cluster);
    first.writeAll();
    second.writeAll();
    List<CompletableFuture<Void>> flushes;
    try (SlowProcess slow = new SlowProcess(serverOf(node))) {
      flushes =
          Stream.of(TABLE, BYPASSING)
              .map(table -> CompletableFuture.runAsync(() -> flush(node, table)))
              .toList();
      large.writeAll();
    }
    for (CompletableFuture<Void> flush : flushes) {
      flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
    large.checkEverywhere();
    first.checkEverywhere();
    second.checkEverywhere();
    cluster.execute("DROP TABLE " + keyspace + ".large");
    awaitAbsorbed(node, BYPASSING);
  }

  /** Readers that are refused do not make the server count as away. */
  private void checkReadsBesideSlowServer(TestCluster cluster) throws Exception {
    Node node = cluster.node(1);
    awaitAbsorbed(node, TABLE);
    new ReadsBesideSlowServer(cluster.session(), keyspace + "." + TABLE, keyspace + ".stock")
        .check(serverOf(node));
    assertThat(logged(node, "is slow: 8 reads wait for it")).isPositive();
    assertThat(state(cluster, TABLE)).startsWith("absorbing");
    readOnce(cluster, TABLE);
  }

  private void awaitAbsorbed(Node node, String table) {
    await().atMost(SOON).until(() -> DataFiles.of(node, keyspace, table).isEmpty());
  }

  /** It takes connections, and answers nothing. */
  private void checkHangingServer(
      TestCluster cluster, AcknowledgedWrites onServer, AcknowledgedWrites stock) throws Exception {
    Node node = cluster.node(1);
    ProcessIdentity server = serverOf(node);
    CompletableFuture<Void> flush;
    await()
        .alias("the server is known to be back")
        .atMost(SOON)
        .until(() -> !state(cluster, TABLE).startsWith("bypassing"));
    // an absorption that is cut off would tell that the server is away
    awaitAbsorbed(node, TABLE);
    server.pause();
    try {
      awaitWrites(onServer, onServer.count() + ROWS);
      assertThatThrownBy(() -> readOnce(cluster, TABLE)).isInstanceOf(DriverException.class);
      long begin = System.nanoTime();
      flush = CompletableFuture.runAsync(() -> flush(node, TABLE));
      checkOtherTableGoesOn(cluster, stock);
      boolean isDone = flush.isDone();
      assertThat(isDone && System.nanoTime() - begin < ANSWER.toNanos())
          .as("done beside a server that hangs")
          .isFalse();
    } finally {
      server.resume();
    }
    flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
    awaitWrites(onServer, onServer.count() + ROWS);
  }

  /**
   * A table leaves the engine while the server is away, so that its flush fails, and comes back:
   * the flush is repeated without the server, since later memtables read the store.
   */
  private void checkComingBack(TestCluster cluster, AcknowledgedWrites writes) throws Exception {
    Node node = cluster.node(1);
    alterMemtable(cluster, "default");
    writes.write(ROWS / 3, ROWS / 2);
    assertThatThrownBy(() -> readOnce(cluster, LEAVING)).isInstanceOf(ReadFailureException.class);
    alterMemtable(cluster, impatient());
    await()
        .atMost(SOON)
        .until(() -> logged(node, "A flush of " + keyspace + "." + LEAVING + REPEATED) > 0);
    assertThat(DataFiles.of(node, keyspace, LEAVING)).isNotEmpty();
  }

  /** It leaves for good, with its first memtable since a start: when the server answers. */
  private void checkLeaving(TestCluster cluster, AcknowledgedWrites writes) throws Exception {
    Node node = cluster.node(1);
    writes.checkEverywhere();
    writes.write(0, ROWS / 4);
    serverOf(node).kill();
    alterMemtable(cluster, "default");
    writes.write(ROWS / 5, ROWS / 3);
    assertThatThrownBy(() -> cluster.execute("TRUNCATE " + keyspace + "." + LEAVING))
        .isInstanceOf(DriverException.class);
    assertThatThrownBy(() -> readOnce(cluster, LEAVING)).isInstanceOf(ReadFailureException.class);
    node.servers().start();
    await().atMost(SOON).until(() -> !cluster.isOnEngine(node, keyspace, LEAVING));
    writes.checkEverywhere();
  }

  private void alterMemtable(TestCluster cluster, String configuration) {
    cluster.execute(
        "ALTER TABLE %s.%s WITH memtable = '%s'".formatted(keyspace, LEAVING, configuration));
  }

  /**
   * A server that is away for long: flushes write sstables, which are absorbed when it is back, and
   * who would need what the server has is refused.
   */
  private void checkBypass(
      TestCluster cluster, AcknowledgedWrites writes, AcknowledgedWrites leaving) throws Exception {
    Node node = cluster.node(1);
    writes.writeAll();
    flush(node, BYPASSING);
    // a server that was slow for a moment does so by an absorption
    awaitAbsorbed(node, BYPASSING);
    writes.writeAll();
    AcknowledgedWrites dropped = table(cluster, "dropped", "memtable = '" + impatient() + "'");
    dropped.writeAll();
    cluster.flush(keyspace);
    writes.writeAll();
    // beside the slow server, too
    long before = bypasses(node);
    serverOf(node).kill();
    for (int i = 0; i < 2; i++) {
      flush(node, BYPASSING);
      assertThat(DataFiles.of(node, keyspace, BYPASSING)).hasSizeGreaterThan(i);
      writes.writeAll();
    }
    assertThat(bypasses(node) - before).as("flushes that waited").isLessThanOrEqualTo(1);
    assertThat(state(cluster, BYPASSING)).startsWith("bypassing: ");
    assertThatThrownBy(() -> node.nodetool("snapshot", "-t", "none", keyspace))
        .hasMessageContaining("while the engine's server is away");
    assertThatThrownBy(() -> cluster.execute("TRUNCATE " + keyspace + "." + BYPASSING))
        .isInstanceOf(DriverException.class);
    assertThatThrownBy(() -> readOnce(cluster, BYPASSING)).isInstanceOf(ReadFailureException.class);
    checkClientIsTold(node);
    AcknowledgedWrites created = table(cluster, "created", "memtable = '" + impatient() + "'");
    created.writeAll();
    created.checkEverywhere();
    cluster.execute("DROP TABLE " + keyspace + ".dropped");
    assertThat(logged(node, "A snapshot of " + keyspace + ".dropped lacks its stores")).isOne();
    checkComingBack(cluster, leaving);
    cluster.kill(node);

    startBeforeServer(node);

    writes.checkEverywhere();
    assertThatThrownBy(() -> readOnce(cluster, "dropped"))
        .isInstanceOf(InvalidQueryException.class);
    flush(node, BYPASSING);
    await().atMost(SOON).until(() -> DataFiles.of(node, keyspace, BYPASSING).isEmpty());
    writes.checkEverywhere();
    created.checkEverywhere();
    cluster.execute("DROP TABLE " + keyspace + ".created");
  }

  /** Java's driver makes its message itself, without Cassandra's. */
  private void checkClientIsTold(Node node) throws Exception {
    Optional<PythonDriver> driver = PythonDriver.find(Path.of("target/python").toAbsolutePath());
    if (driver.isPresent()) {
      assertThat(driver.get().failure(node, "SELECT * FROM " + keyspace + "." + BYPASSING))
          .containsPattern(keyspace + "." + BYPASSING + " on 127\\.0\\.0\\.1: \\S")
          .containsIgnoringCase(engine + (engine.equals("sql") ? " server" : "://"));
    }
  }

  /** Failed attempts to absorb a flush of the table. */
  private long bypasses(Node node) throws IOException {
    return logged(node, "The flush of " + keyspace + "." + BYPASSING);
  }

  /** Lines of the log since the last start. */
  private static long logged(Node node, String words) throws IOException {
    if (!Files.exists(node.logFile())) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(node.logFile())) {
      return lines.filter(line -> line.contains(words)).count();
    }
  }

  /** The node waits for a server that hangs, and starts when it answers. */
  private void startBeforeServer(Node node) throws Exception {
    serverOf(node).kill();
    node.servers().start();
    ProcessIdentity server = serverOf(node);
    server.pause();
    CompletableFuture<Void> start;
    try {
      start = CompletableFuture.runAsync(() -> node.start(StartListener.SILENT));
      await().atMost(START).until(() -> logged(node, WAITING) > 0);
      assertThat(start).isNotDone();
    } finally {
      server.resume();
    }
    start.get(START.toSeconds(), TimeUnit.SECONDS);
  }

  private ClusterSpec spec() {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(Path.of("target/engine-" + engine + "-it").toAbsolutePath())
        .nodes(1)
        .tokensPerNode(4)
        .heapMegabytes(450)
        .jvmOptions(QueryHandlerOptions.explaining(List.of()))
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        .extraJars(List.of(installation.engineJar(engine)))
        .engines(List.of(engine))
        .yaml(
            Map.of(
                "memtable_heap_space",
                "16MiB",
                "memtable_offheap_space",
                "16MiB",
                "memtable",
                Map.of(
                    "configurations",
                    Map.of(
                        patient(),
                        EngineServers.inheriting(engine, PATIENT),
                        impatient(),
                        EngineServers.inheriting(engine, IMPATIENT)))))
        .ports(Shape.THIRD_PORTS)
        .build();
  }

  /** The configuration whose writes reach the server before they are acknowledged. */
  private String direct() {
    return EngineServers.direct(engine);
  }

  /** Whose flushes wait for the server. */
  private String patient() {
    return engine + "_patient";
  }

  /** Whose flushes go round it. */
  private String impatient() {
    return engine + "_impatient";
  }

  private AcknowledgedWrites table(TestCluster cluster, String name, String with) {
    return new AcknowledgedWrites(cluster, keyspace + "." + name, with, ROWS, VALUE_BYTES, seed);
  }

  private ProcessIdentity serverOf(Node node) {
    return node.servers().processes().get(engine);
  }

  private static void awaitWrites(AcknowledgedWrites writes, long count) {
    await().atMost(SOON).until(() -> writes.count() >= count);
  }

  private String state(TestCluster cluster, String table) {
    return cluster.engine(cluster.node(1), keyspace, table).getString("state");
  }

  private void flush(Node node, String table) {
    TestCluster.flush(node, keyspace, table);
  }

  /** Its flush is written; Cassandra itself reports flushes in their order, so later. */
  private CompletableFuture<Void> checkOtherTableGoesOn(
      TestCluster cluster, AcknowledgedWrites stock) {
    Node node = cluster.node(1);
    stock.writeAll();
    CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, "stock"));
    await().atMost(SOON).until(() -> !DataFiles.of(node, keyspace, "stock").isEmpty());
    stock.checkEverywhere();
    stock.writeAll();
    assertThat(flush).isNotCompletedExceptionally();
    return flush;
  }

  private void readOnce(TestCluster cluster, String table) {
    cluster
        .session()
        .execute(
            SimpleStatement.newInstance("SELECT * FROM " + keyspace + "." + table)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE));
  }
}

package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.layout.ClusterSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import org.awaitility.core.ThrowingRunnable;

/**
 * Three nodes with the query handler that adjusts levels, and behind it the tests' own, which
 * delays and drops messages. All requests name their coordinator.
 */
final class ConsistencyCluster implements AutoCloseable {
  private static final Path HOME = Path.of("target/consistency-it").toAbsolutePath();
  private static final String PACKAGE = "io/counterpart/cassandra/consistency/";
  private static final String HANDLER =
      "io.counterpart.cassandra.consistency.ConsistencyQueryHandler";
  private static final String DELAYING = "io.counterpart.cassandra.consistency.DelayingHandler";
  private static final int REQUESTS_IN_FLIGHT = 32;

  /**
   * A pause of a node is remembered in writes for 30 s, and in a stale shadow read for 60 s: what
   * is expected of nodes that answer may come after several of them.
   */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Enough for a bound of 5 %. */
  static final int ROWS = 1_500;

  private final TestCluster cluster;
  private int written;

  private ConsistencyCluster(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** With the table of policies, and the keyspace {@code ks} for tables of tests. */
  static ConsistencyCluster start() throws IOException, InterruptedException {
    ConsistencyCluster cluster = new ConsistencyCluster(TestCluster.start(spec()));
    for (String keyspace : List.of("ks", "counterpart_config")) {
      cluster.execute(
          "CREATE KEYSPACE "
              + keyspace
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor':"
              + " 3}");
    }
    cluster.execute(
        "CREATE TABLE counterpart_config.consistency (keyspace_name text, table_name text,"
            + " mode text, epsilon double, floor text, window_ms bigint,"
            + " read_repair_chance double,"
            + " PRIMARY KEY (keyspace_name, table_name))");
    return cluster;
  }

  private static ClusterSpec spec() throws IOException {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(HOME)
        .nodes(3)
        .tokensPerNode(4)
        .heapMegabytes(450)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        .extraJars(List.of(delayingJar(installation)))
        .yaml(
            Map.of(
                "dynamic_snitch",
                false,
                "read_request_timeout",
                "2000ms",
                "write_request_timeout",
                "4000ms",
                // else messages of a node whose clock is stepped look too old to be handled
                "internode_timeout",
                false,
                // binds no client of a cluster without passwords, but the levels of CR
                "read_consistency_levels_disallowed",
                List.of("THREE")))
        .jvmOptions(
            List.of(
                "-Dcassandra.custom_query_handler_class=" + HANDLER,
                "-Dcounterpart.consistency.delegate=" + DELAYING,
                "-Dcassandra.clock=io.counterpart.cassandra.consistency.SteppedClock",
                "-Dcounterpart.consistency.look_seconds=2",
                // as short as looks allow, since reads are lowered soon after the start
                "-Dcounterpart.consistency.start_absence_seconds=4"))
        .ports(Shape.THIRD_PORTS)
        .build();
  }

  /** A plugin of somebody else's, as a node gets it. */
  private static Path delayingJar(Installation installation) throws IOException {
    Path classes = installation.root().resolve("cassandra/target/test-classes").resolve(PACKAGE);
    Path jar = Path.of("target/delaying-handler.jar").toAbsolutePath();
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String name : List.of("DelayingHandler.class", "SteppedClock.class")) {
        out.putNextEntry(new ZipEntry(PACKAGE + name));
        out.write(Files.readAllBytes(classes.resolve(name)));
        out.closeEntry();
      }
    }
    return jar;
  }

  CqlSession session() {
    return cluster.session();
  }

  Node node(int index) {
    return cluster.node(index);
  }

  void execute(String cql) {
    cluster.execute(cql);
  }

  /** Runs a statement through one node. */
  ResultSet execute(int node, ConsistencyLevel level, String cql, Object... values) {
    return session()
        .execute(at(SimpleStatement.newInstance(cql, values), node).setConsistencyLevel(level));
  }

  void table(String name, String key) {
    cluster.execute(
        ("CREATE TABLE ks.%s (k int, v bigint, %s) WITH speculative_retry = 'NEVER'"
                + " AND read_repair = 'NONE'")
            .formatted(name, key));
  }

  void policy(String table, String columns, String values) {
    String insert =
        "INSERT INTO counterpart_config.consistency (keyspace_name, table_name, %s)"
            + " VALUES ('ks', '%s', %s)";
    eventually(() -> cluster.execute(insert.formatted(columns, table, values)));
  }

  /** Delays all writes that a node gets from others. */
  void delay(int node, long millis) {
    tell(node, "test_delay_ms", Long.toString(millis));
  }

  /** Drops messages that a node gets: {@code reads}, {@code all} or {@code none}. */
  void drop(int node, String what) {
    tell(node, "test_drop", what);
  }

  /** Makes node 1 see another node leave, or stay after all. */
  void leaving(int node, boolean leaves) {
    tell(1, leaves ? "test_leaving" : "test_staying", node(node).address());
  }

  /** Steps a node's time of day. */
  void clock(int node, long millisFromTrue) {
    tell(node, "test_clock_ms", Long.toString(millisFromTrue));
  }

  private void tell(int node, String key, String value) {
    eventually(
        () ->
            session()
                .execute(
                    at(SimpleStatement.newInstance("SELECT key FROM system.local"), node)
                        .setCustomPayload(Map.of(key, bytes(value)))));
  }

  /** Writes rows of new keys through node 1, the next ones of a sequence. */
  void write(String table, int rows, ConsistencyLevel level) {
    String cql = "INSERT INTO " + table + " (k, v) VALUES (?, 0)";
    int first = written + 1;
    written += rows;
    each(1, level, cql, IntStream.range(first, first + rows).boxed().toList());
  }

  /** Runs a statement for each of some keys through one node, many at once. */
  void each(int node, ConsistencyLevel level, String cql, List<Integer> keys) {
    Queue<CompletionStage<?>> inFlight = new ArrayDeque<>();
    for (int key : keys) {
      if (inFlight.size() == REQUESTS_IN_FLIGHT) {
        end(inFlight.remove());
      }
      inFlight.add(
          session()
              .executeAsync(
                  at(SimpleStatement.newInstance(cql, key), node).setConsistencyLevel(level)));
    }
    inFlight.forEach(ConsistencyCluster::end);
  }

  private static void end(CompletionStage<?> request) {
    try {
      request.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof DriverException failure ? failure : e;
    }
  }

  /**
   * Checks until it holds: a pause of a node may have requests fail, or change what is told. An
   * error of a node's code ends it.
   */
  static void eventually(ThrowingRunnable check) {
    await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsMatching(
            failure -> failure instanceof DriverException && !isServerError(failure))
        .untilAsserted(check);
  }

  /** Whether a node says that its code failed: what an exception of a plugin would look like. */
  static boolean isServerError(Throwable failure) {
    return failure instanceof ServerError
        || failure instanceof AllNodesFailedException all
            && all.getAllErrors().values().stream()
                .flatMap(List::stream)
                .anyMatch(ServerError.class::isInstance);
  }

  /**
   * Writes rows and checks until it holds. At QUORUM, so that the third replica's copy is the only
   * one that writes do not wait for.
   */
  void writeUntil(String table, ThrowingRunnable check) {
    eventually(
        () -> {
          write(table, ROWS, DefaultConsistencyLevel.QUORUM);
          check.run();
        });
  }

  /** Writes rows until a read is told what is expected. */
  void writeUntil(String table, ConsistencyLevel level, Predicate<Told> expected) {
    writeUntil(table, () -> assertThat(ask(table, level)).matches(expected));
  }

  /** Whether the bounds were known, whatever followed. */
  static boolean isEstimated(Told told) {
    return told.reason().equals("raised") || told.reason().equals("client_level_suffices");
  }

  /** What a read was told: its level and the reason; empty if it was told nothing. */
  record Told(String level, String reason) {
    static final Told NOTHING = new Told("", "");
  }

  /** Reads a key that nobody writes, through node 1. */
  Told read(String table, ConsistencyLevel level, Map<String, String> payload) {
    return read(table, -1, level, payload);
  }

  private Told read(String table, int key, ConsistencyLevel level, Map<String, String> payload) {
    String cql = "SELECT v FROM " + table + " WHERE k = ?";
    return told(
        session()
            .execute(
                at(SimpleStatement.newInstance(cql, key), 1)
                    .setConsistencyLevel(level)
                    .setCustomPayload(encoded(payload))));
  }

  static Told told(ResultSet rows) {
    Map<String, ByteBuffer> payload = rows.getExecutionInfo().getIncomingPayload();
    return payload.containsKey("cr_level")
        ? new Told(text(payload, "cr_level"), text(payload, "cr_reason"))
        : Told.NOTHING;
  }

  /** Always told, since the request has a wish that changes nothing. */
  Told ask(String table, ConsistencyLevel level) {
    return ask(table, -1, level);
  }

  /** The same of another key that nobody writes, and so of other replicas first. */
  Told ask(String table, int key, ConsistencyLevel level) {
    return read(table, key, level, Map.of("max_stale_ms", "0"));
  }

  /** Reads of a table by reason, as node 1 counts them. */
  Map<String, Long> counts(String keyspace, String table) {
    Map<String, Long> counts = new HashMap<>();
    for (Row row : virtual("consistency")) {
      if (keyspace.equals(row.getString("keyspace_name"))
          && table.equals(row.getString("table_name"))) {
        counts.put(row.getString("reason"), row.getLong("reads"));
      }
    }
    return counts;
  }

  /** Why node 1 refused a table's policy; empty if it did not. */
  String refused(String table) {
    return virtual("consistency").stream()
        .filter(row -> table.equals(row.getString("table_name")))
        .map(row -> row.getString("refused"))
        .findFirst()
        .orElse("");
  }

  /** Rows of one of node 1's virtual tables. */
  List<Row> virtual(String table) {
    return session()
        .execute(at(SimpleStatement.newInstance("SELECT * FROM counterpart." + table), 1))
        .all();
  }

  <S extends Statement<S>> S at(S statement, int node) {
    return statement.setNode(cluster.driverNode(cluster.node(node)));
  }

  static Map<String, ByteBuffer> encoded(Map<String, String> payload) {
    Map<String, ByteBuffer> encoded = new HashMap<>();
    payload.forEach((key, value) -> encoded.put(key, bytes(value)));
    return encoded;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String text(Map<String, ByteBuffer> payload, String key) {
    return UTF_8.decode(payload.get(key).duplicate()).toString();
  }

  @Override
  public void close() {
    cluster.close();
  }
}

package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.google.common.collect.Lists;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.ClusterSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A running cluster as tests use it: CQL through one chosen coordinator, flushes and compactions on
 * all nodes, the plugin's virtual tables and counters.
 */
final class TestCluster implements AutoCloseable {
  private static final String STORAGE = NodeJmx.STORAGE_SERVICE;
  private static final Pattern DDL = Pattern.compile("^(CREATE|ALTER|DROP) ");
  private static final int IN_FLIGHT = 24;
  private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(120);
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(240);

  private final Cluster cluster;
  private final CqlSession session;

  private TestCluster(Cluster cluster) {
    this.cluster = cluster;
    this.session = Sessions.open(cluster.nodes());
  }

  static TestCluster start(ClusterSpec spec) throws IOException, InterruptedException {
    Cluster cluster = Cluster.start(spec, StartListener.SILENT);
    try {
      return new TestCluster(cluster);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  Cluster cluster() {
    return cluster;
  }

  CqlSession session() {
    return session;
  }

  Node node(int index) {
    return cluster.node(index);
  }

  /**
   * Kills a node once its disk has the schema, and its commit log what was acknowledged, see {@link
   * CommitLogMarks}.
   */
  void kill(Node node) {
    flushSchema(node);
    CommitLogMarks.awaitAll(node);
    node.kill();
  }

  /** Nodes of shared clusters do so only when they are told, see {@link Shape}. */
  static void flushSchema(Node node) {
    flush(node, "system_schema");
  }

  List<Node> live() {
    return cluster.nodes().stream().filter(Node::isAlive).toList();
  }

  /** Runs a write at ALL, or a change of the schema: all live nodes have it afterwards. */
  void execute(String cql) {
    Node coordinator = live().get(0);
    query(coordinator, DefaultConsistencyLevel.ALL, cql);
    if (DDL.matcher(cql).find()) {
      // the coordinator has the new schema at once; the driver's own check may ask another node
      await()
          .alias("schema agreement after " + cql)
          .atMost(SETTLE_LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .pollInSameThread()
          .ignoreExceptionsInstanceOf(UncheckedIOException.class)
          // none is left where a test kills them meanwhile
          .until(() -> live().stream().map(this::schemaVersion).distinct().count() <= 1);
    }
  }

  /** Runs a prepared write at ALL. */
  void execute(BoundStatement write) {
    Node coordinator = live().get(0);
    query(
        () ->
            write
                .setConsistencyLevel(DefaultConsistencyLevel.ALL)
                .setNode(driverNode(coordinator)));
  }

  private String schemaVersion(Node node) {
    if (Sessions.isConnected(session, node)) {
      String version = "SELECT schema_version FROM system.local";
      return String.valueOf(query(node, DefaultConsistencyLevel.ONE, version).get(0).getUuid(0));
    }
    try (NodeJmx jmx = node.jmx()) {
      return String.valueOf(jmx.attribute(STORAGE, "SchemaVersion"));
    }
  }

  /** Runs many writes at ALL, some at a time. Each counts as written after those before it. */
  void executeAll(List<String> statements) {
    Lists.partition(statements, IN_FLIGHT).forEach(this::executeTogether);
  }

  private void executeTogether(List<String> statements) {
    Node coordinator = live().get(0);
    List<CompletionStage<AsyncResultSet>> sent =
        statements.stream()
            .map(cql -> statement(coordinator, DefaultConsistencyLevel.ALL, cql))
            .map(session::executeAsync)
            .toList();
    boolean isUnsent = false;
    for (CompletionStage<AsyncResultSet> each : sent) {
      try {
        each.toCompletableFuture().join();
      } catch (CompletionException e) {
        if (!isNeverSent(e.getCause())) {
          throw e;
        }
        isUnsent = true;
      }
    }
    if (isUnsent) {
      // all of them, in order: one that came later has a later timestamp
      statements.forEach(cql -> query(coordinator, DefaultConsistencyLevel.ALL, cql));
    }
  }

  private SimpleStatement statement(Node coordinator, ConsistencyLevel level, String cql) {
    return SimpleStatement.newInstance(cql)
        .setConsistencyLevel(level)
        .setNode(driverNode(coordinator));
  }

  /** The rows of a query that one node coordinates. */
  List<Row> query(Node coordinator, ConsistencyLevel level, String cql) {
    return query(() -> statement(coordinator, level, cql));
  }

  private List<Row> query(Supplier<Statement<?>> statement) {
    return await()
        .atMost(CONNECTION_LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .ignoreExceptionsMatching(TestCluster::isNeverSent)
        .until(() -> session.execute(statement.get()).all(), rows -> true);
  }

  /**
   * The driver has no connection now: it remakes them when a node joined or came back. Or the
   * coordinator takes a node that is back for down once more, when its silence of before is seen.
   */
  private static boolean isNeverSent(Throwable failure) {
    return failure instanceof AllNodesFailedException failed
        && failed.getAllErrors().values().stream()
            .flatMap(List::stream)
            .allMatch(
                each ->
                    each instanceof NodeUnavailableException
                        || each instanceof UnavailableException);
  }

  /** The driver's name for a node; waits until the driver is connected to it. */
  com.datastax.oss.driver.api.core.metadata.Node driverNode(Node node) {
    return Sessions.connected(session, node);
  }

  void createKeyspace(String name, String replication) {
    execute("DROP KEYSPACE IF EXISTS " + name);
    execute("CREATE KEYSPACE " + name + " WITH replication = " + replication);
  }

  /** Drops what other tests have left. */
  void dropKeyspacesExcept(String kept) {
    query(live().get(0), DefaultConsistencyLevel.ONE, "SELECT * FROM system_schema.keyspaces")
        .stream()
        .map(row -> row.getString("keyspace_name"))
        .filter(name -> !name.startsWith("system") && !name.equals(kept))
        .forEach(name -> execute("DROP KEYSPACE " + name));
  }

  void flush(String keyspace) {
    live().parallelStream().forEach(node -> flush(node, keyspace));
  }

  /** Has one node flush tables of a keyspace, or all of them. */
  static void flush(Node node, String keyspace, String... tables) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          STORAGE,
          "forceKeyspaceFlush",
          new Object[] {keyspace, tables},
          new String[] {String.class.getName(), String[].class.getName()});
    }
  }

  void compact(String keyspace) {
    onLive(
        jmx ->
            jmx.invoke(
                STORAGE,
                "forceKeyspaceCompaction",
                new Object[] {false, keyspace, new String[0]},
                new String[] {"boolean", String.class.getName(), String[].class.getName()}));
  }

  /** Removes what the nodes no longer own, on one after another. */
  void cleanup(String keyspace) {
    // a node that still sees another one join refuses to clean up, or has nothing to remove yet
    RingMembers.awaitSettled(this);
    for (Node node : live()) {
      try (NodeJmx jmx = node.jmx()) {
        jmx.invoke(
            STORAGE,
            "forceKeyspaceCleanup",
            new Object[] {keyspace, new String[0]},
            new String[] {String.class.getName(), String[].class.getName()});
      }
    }
  }

  /** Has all live nodes begin no compaction of a table by themselves; returns when none runs. */
  void stopCompaction(String keyspace, String table) {
    setAutoCompaction("disableAutoCompaction", keyspace, table);
    awaitCompactions(keyspace, table);
  }

  /** Those of a table that have begun go on when others are stopped. */
  void awaitCompactions(String keyspace, String table) {
    await()
        .alias(keyspace + "." + table + " is not compacted")
        .atMost(SETTLE_LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .until(() -> live().stream().noneMatch(node -> isCompacting(node, keyspace, table)));
  }

  /** Takes {@link #stopCompaction} back. */
  void startCompaction(String keyspace, String table) {
    setAutoCompaction("enableAutoCompaction", keyspace, table);
  }

  /** Makes all live nodes look for background work now instead of at the next flush. */
  void wakeCompaction(String keyspace) {
    setAutoCompaction("enableAutoCompaction", keyspace);
  }

  private void setAutoCompaction(String operation, String keyspace, String... tables) {
    onLive(
        jmx ->
            jmx.invoke(
                STORAGE,
                operation,
                new Object[] {keyspace, tables},
                new String[] {String.class.getName(), String[].class.getName()}));
  }

  private void onLive(Consumer<NodeJmx> action) {
    live().parallelStream()
        .forEach(
            node -> {
              try (NodeJmx jmx = node.jmx()) {
                action.accept(jmx);
              }
            });
  }

  /** What one node says about a decoupled table. */
  TableState state(Node node, String keyspace, String table) {
    List<Row> rows =
        query(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT * FROM counterpart.tables WHERE keyspace_name = '%s' AND table_name = '%s'"
                .formatted(keyspace, table));
    assertThat(rows).as("%s.%s in counterpart.tables of %s", keyspace, table, node).hasSize(1);
    return new TableState(rows.get(0));
  }

  /** What one node says about a table on an engine. */
  Row engine(Node node, String keyspace, String table) {
    return engines(node, keyspace, table).get(0);
  }

  /** Whether a node has memtables or stores of a table on an engine. */
  boolean isOnEngine(Node node, String keyspace, String table) {
    return !engines(node, keyspace, table).isEmpty();
  }

  /** Whether a node has lost what it had of a table in memory alone. */
  boolean isCold(Node node, String keyspace, String table) {
    return engine(node, keyspace, table).getString("state").startsWith("cold");
  }

  private List<Row> engines(Node node, String keyspace, String table) {
    return query(
        node,
        DefaultConsistencyLevel.ONE,
        "SELECT * FROM counterpart.engines WHERE keyspace_name = '%s' AND table_name = '%s'"
            .formatted(keyspace, table));
  }

  /** A counter of the plugin, summed over the live nodes since each one's start. */
  long counter(String keyspace, String table, String name) {
    return live().stream().mapToLong(node -> counter(node, keyspace, table, name)).sum();
  }

  long counter(Node node, String keyspace, String table, String name) {
    try (NodeJmx jmx = node.jmx()) {
      return (long)
          jmx.attribute(
              "org.apache.cassandra.metrics:type=Counterpart,scope=%s.%s,name=%s"
                  .formatted(keyspace, table, name),
              "Count");
    }
  }

  boolean isCompacting(Node node, String keyspace) {
    return compacting(node, keyspace).findAny().isPresent();
  }

  boolean isCompacting(Node node, String keyspace, String table) {
    return compacting(node, keyspace).anyMatch(table::equals);
  }

  /** Tables of a keyspace with a compaction of whatever kind that runs now. */
  private Stream<String> compacting(Node node, String keyspace) {
    return query(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT keyspace_name, table_name FROM system_views.sstable_tasks")
        .stream()
        .filter(row -> keyspace.equals(row.getString("keyspace_name")))
        .map(row -> Objects.requireNonNull(row.getString("table_name")));
  }

  /** Returns when no rewrite of the table runs or is due on any live node. */
  void settle(String keyspace, String table) {
    settle(keyspace, table, state -> state.backlog() == 0);
  }

  /** Returns when every live node has settled and its state is as wanted. */
  void settle(String keyspace, String table, Predicate<TableState> wanted) {
    await()
        .alias(keyspace + "." + table + " settles")
        .atMost(SETTLE_LIMIT)
        .pollInterval(Duration.ofMillis(500))
        // a busy node resets connections now and then
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .untilAsserted(
            () -> {
              wakeCompaction(keyspace);
              for (Node node : live()) {
                assertThat(isCompacting(node, keyspace)).isFalse();
                assertThat(state(node, keyspace, table))
                    .as("state on %s", node)
                    .matches(wanted.and(state -> state.backlog() == 0));
              }
            });
  }

  /** What follows WITH: primary copies in an engine, redundant ones in small runs. */
  static String byRank(String memtable) {
    return "memtable = '%s' AND compaction = ".formatted(memtable)
        + decoupled(Map.of("primary", "engine", "split_segments", "1", "min_run_size", "1"));
  }

  /** Compaction options of the plugin that make its work happen at a few thousand rows. */
  static String decoupled(Map<String, String> more) {
    StringBuilder options =
        new StringBuilder(
            "{'class': 'io.counterpart.cassandra.compaction.DecoupledCompactionStrategy'");
    Map<String, String> small = new java.util.TreeMap<>();
    small.put("split_segments", "2");
    small.put("min_run_size", "0");
    small.put("max_segments", "4");
    small.put("primary_batch", "2");
    small.put("split_idle", "1");
    small.putAll(more);
    small.forEach((name, value) -> options.append(", '%s': '%s'".formatted(name, value)));
    return options.append("}").toString();
  }

  /** Kills the nodes: nobody reads their data any more, and draining takes them seconds. */
  @Override
  public void close() {
    session.close();
    cluster.nodes().forEach(Node::kill);
    cluster.close();
  }
}

package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.fasterxml.jackson.databind.JsonNode;
import io.counterpart.cli.CommandHere;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code up --servers --engines}: two servers with a node on sstables and one on LMDB each. */
@OnUsualPorts
class HeterogeneousClusterIT {
  private static final Path HOME = Path.of("target/heterogeneous-it").toAbsolutePath();
  private static final List<String> SHAPE =
      List.of(
          "--servers=2",
          "--engines=write=lsm,read=lmdb",
          "--tokens=4",
          "--home=" + HOME,
          // read nodes lead every arc here, so only the reverse of the usual order can be told
          "--jvm-option=-Dcounterpart.snitch.engines=write,read",
          // new nodes are slow at times, which would move rows
          "--jvm-option=-Dcounterpart.snitch.tie_ms=10000");
  private static final int ROWS = 200;

  @AfterEach
  void leave_nothing() {
    Cluster.recorded(HOME).ifPresent(Cluster::purge);
  }

  @Test
  void one_table_is_on_sstables_here_and_on_lmdb_there() throws Exception {
    JsonNode up = new Launcher(HOME).run("up", SHAPE, "--json").ok().json();
    assertThat(up.get("nodes")).hasSize(4);
    assertThat(up.get("placement").asText()).isEqualTo("engines");
    assertThat(up.at("/nodes/0/rack").asText()).isEqualTo("write");
    assertThat(up.at("/nodes/1/rack").asText()).isEqualTo("read");
    List<Node> nodes = Cluster.recorded(HOME).orElseThrow().nodes();

    try (CqlSession session = Sessions.openWithSchema(nodes.get(0))) {
      Node first = nodes.get(0);
      change(
          session,
          first,
          "CREATE TABLE app.t (id int PRIMARY KEY, v text) WITH memtable = 'engine'");
      for (int id = 0; id < ROWS; id++) {
        session.execute(
            SimpleStatement.newInstance("INSERT INTO app.t (id, v) VALUES (?, ?)", id, "v" + id)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
      }
      nodes.forEach(node -> TestCluster.flush(node, "app", "t"));

      for (Node node : nodes) {
        boolean writes = node.location().rack().equals("write");
        assertThat(DataFiles.of(node, "app", "t").isEmpty()).as("%s", node).isEqualTo(!writes);
        assertThat(hasStore(node)).as("%s", node).isEqualTo(!writes);
        assertThat(rows(session, "app.t", node)).as("through %s", node).isEqualTo(expected());
      }
      driversRouteToOneOfEachClassOnTwoServers(session, "app");
      change(
          session,
          first,
          "CREATE KEYSPACE more WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
      driversRouteToOneOfEachClassOnTwoServers(session, "more");
      anotherNumberOfCopiesIsNamed(session, first);
      thePythonDriverHasTheReplicasOfTheNodes(first);
      readsAtOneGoToTheFirstClassWhoeverCoordinates(session, nodes);
      theOtherCopyWasComparedAfterSomeOfThem(session, nodes);
      anEngineThatNoNodeHasIsNotApplied(session, first);
    }
    assertThat(new Launcher(HOME).run("doctor", "--home=" + HOME).ok().out())
        .containsPattern("ok +storage engines on .*127.0.0.1.*: knows engine")
        .containsPattern("ok +storage engines on .*127.0.0.4.*: knows engine");
    nodes.get(1).nodetool("enablebackup");
    String byCql = new Launcher(HOME).run("doctor", "--contact-points=127.0.0.2").ok().out();
    assertThat(byCql)
        .containsPattern("ok +plugin on .*127.0.0.1.*: counterpart-cassandra-.*jar")
        .containsPattern("ok +storage engines on .*127.0.0.1.*: knows engine")
        .containsPattern("WARN +storage engines on .*127.0.0.2.*: incremental_backups .*app.t")
        .containsPattern("ok +storage engines on .*127.0.0.4.*: knows engine");
    nodes.get(1).nodetool("disablebackup");
    assertThat(
            new Launcher(HOME)
                .run("cql", "--home=" + HOME, "--host=127.0.0.3", "SELECT rack FROM system.local")
                .ok()
                .out())
        .contains("write");
    theMixIsSeen();
    try (CqlSession session = Sessions.openWithSchema(nodes.get(1))) {
      aTableGoesToTheEngineOfEachClassAndBack(session, nodes);
      aNodeThatWasDownGetsHints(session, nodes);
    }
    CommandHere.Outcome refused =
        CommandHere.run(List.of("engine", "migrate", "app.t", "lsm", "--home=" + HOME));
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(3);
    assertThat(refused.err()).contains("127.0.0.1", "legal: all nodes up");
  }

  /**
   * Changes the schema by the node that the session was opened with. The driver asks that one
   * whether all agree: one that has not heard of another node's change finds that they do.
   */
  private static ResultSet change(CqlSession session, Node contact, String cql) {
    return session.execute(
        SimpleStatement.newInstance(cql).setNode(Sessions.connected(session, contact)));
  }

  private static Launcher.Outcome migrate(String table, String configuration) throws Exception {
    return new Launcher(HOME)
        .run("engine", "migrate", table, configuration, "--timeout=300", "--home=" + HOME);
  }

  /** By the command, which ends by itself on nodes of both classes. */
  private static void aTableGoesToTheEngineOfEachClassAndBack(CqlSession session, List<Node> nodes)
      throws Exception {
    change(session, nodes.get(1), "CREATE TABLE app.moved (id int PRIMARY KEY, v text)");
    for (int id = 0; id < ROWS; id++) {
      session.execute(
          SimpleStatement.newInstance("INSERT INTO app.moved (id, v) VALUES (?, ?)", id, "v" + id)
              .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    nodes.forEach(node -> TestCluster.flush(node, "app", "moved"));

    for (String configuration : List.of("engine", "lsm")) {
      Launcher.Outcome moved = migrate("app.moved", configuration);
      assertThat(moved.exitCode()).as(moved.err()).isZero();
      assertThat(moved.out())
          .contains("app.moved is on %s on all 4 nodes".formatted(configuration));
      for (Node node : nodes) {
        boolean isInStore = configuration.equals("engine") && node.location().rack().equals("read");
        // files of sstables that were absorbed are deleted in the background
        await()
            .alias("%s on %s".formatted(configuration, node))
            .atMost(Duration.ofSeconds(60))
            .pollDelay(Duration.ZERO)
            .until(() -> DataFiles.of(node, "app", "moved").isEmpty() == isInStore);
        assertThat(rows(session, "app.moved", node)).as("%s", node).isEqualTo(expected());
      }
    }
  }

  private static void anotherNumberOfCopiesIsNamed(CqlSession session, Node node) {
    String cql =
        " KEYSPACE planned WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': ";
    assertThat(warnings(session, node, "CREATE" + cql + "1}"))
        .anyMatch(
            warning ->
                warning.contains("dc1: 1 copies (N), legal: 2, for which the tokens of its"));
    assertThat(warnings(session, node, "ALTER" + cql + "2}"))
        .noneMatch(warning -> warning.contains("legal: 2"));
    change(session, node, "DROP KEYSPACE planned");
  }

  private static List<String> warnings(CqlSession session, Node node, String cql) {
    return change(session, node, cql).getExecutionInfo().getWarnings();
  }

  /** Nodes 1 and 4 have copies of the same rows, as nodes 2 and 3. */
  private static void aNodeThatWasDownGetsHints(CqlSession session, List<Node> nodes)
      throws Exception {
    Node down = nodes.get(3);
    Node other = nodes.get(0);
    long before = partitions(down);
    com.datastax.oss.driver.api.core.metadata.Node alive =
        Sessions.connected(session, nodes.get(1));
    down.kill();
    for (int id = ROWS; id < 2 * ROWS; id++) {
      session.execute(
          SimpleStatement.newInstance("INSERT INTO app.t (id, v) VALUES (?, ?)", id, "hinted")
              .setConsistencyLevel(DefaultConsistencyLevel.ONE)
              .setNode(alive));
    }
    long hinted = hinted(session, down);
    assertThat(hinted).isBetween(1L, ROWS - 1L);
    down.start(StartListener.SILENT);
    // a write is given up after 10 s, and hints are sent every 10 s
    await()
        .atMost(Duration.ofSeconds(180))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(partitions(down)).isEqualTo(before + hinted));

    other.stop(); // tells the others, so that none waits for it
    for (int id = ROWS; id < 2 * ROWS; id++) {
      SimpleStatement read =
          SimpleStatement.newInstance("SELECT v FROM app.t WHERE id = ?", id)
              .setConsistencyLevel(DefaultConsistencyLevel.ONE)
              .setNode(alive);
      assertThat(session.execute(read).one()).as("row %d", id).isNotNull();
    }
  }

  /** How many of the rows that were written meanwhile have a copy on a node. */
  private static long hinted(CqlSession session, Node node) {
    TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
    return IntStream.range(ROWS, 2 * ROWS)
        .mapToObj(id -> tokens.newToken(ByteBuffer.allocate(4).putInt(0, id)))
        .filter(
            token ->
                tokens.getReplicas("app", token).stream()
                    .map(
                        replica ->
                            replica
                                .getBroadcastAddress()
                                .orElseThrow()
                                .getAddress()
                                .getHostAddress())
                    .anyMatch(node.address()::equals))
        .count();
  }

  /** Rows that a node has in its store. */
  private static long partitions(Node node) {
    TestCluster.flush(node, "app", "t");
    try (CqlSession own = Sessions.open(List.of(node))) {
      SimpleStatement query =
          SimpleStatement.newInstance(
                  "SELECT partitions FROM counterpart.engines"
                      + " WHERE keyspace_name = 'app' AND table_name = 't'")
              .setNode(Sessions.connected(own, node));
      return own.execute(query).one().getLong(0);
    }
  }

  /** The nodes know the configuration {@code engine} alone. */
  private static void anEngineThatNoNodeHasIsNotApplied(CqlSession session, Node node)
      throws Exception {
    change(session, node, "CREATE TABLE app.stock (id int PRIMARY KEY, v text)");
    for (int id = 0; id < 6_000; id++) {
      session.execute(SimpleStatement.newInstance("SELECT v FROM app.stock WHERE id = ?", id));
    }
    CommandHere.Outcome refused =
        CommandHere.run(
            List.of(
                "engine",
                "advise",
                "--home=" + HOME,
                "--since-start",
                "--apply",
                "--yes",
                "app.stock"));
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(3);
    assertThat(refused.err())
        .contains("first, in cassandra.yaml, a memtable configuration on")
        .contains("has no memtable configuration");
    assertThat(
            session
                .execute(
                    "SELECT memtable FROM system_schema.tables WHERE keyspace_name = 'app' AND"
                        + " table_name = 'stock'")
                .one()
                .getString(0))
        .isNotIn("lmdb", "memory");
  }

  /** Two copies, one on a write node and one on a read node: W + R = 3 with a quorum of both. */
  private static void theMixIsSeen() throws Exception {
    JsonNode advice =
        new Launcher(HOME)
            .run("engine", "advise", "--home=" + HOME, "--since-start", "--json", "app.t")
            .ok()
            .json();
    assertThat(advice.get("heterogeneous").asBoolean()).isTrue();
    JsonNode table = advice.at("/tables/0");
    assertThat(table.get("on").asText()).isEqualTo("by node");
    assertThat(table.get("advice").asText()).isEqualTo("leave");
    assertThat(table.get("operations").asLong()).isGreaterThan(2L * ROWS);
    assertThat(advice.at("/mixes/0/copies").asInt()).isEqualTo(2);
  }

  private static void thePythonDriverHasTheReplicasOfTheNodes(Node node) throws Exception {
    Optional<PythonDriver> driver = PythonDriver.find(HOME.resolveSibling("python-driver"));
    if (driver.isEmpty()) {
      return;
    }
    List<Integer> keys = IntStream.range(-20, 20).boxed().toList();
    Map<Integer, PythonDriver.Route> routes = driver.get().routes(node, "app", keys);
    assertThat(routes).containsOnlyKeys(keys);
    routes.forEach(
        (key, route) -> {
          assertThat(route.replicas()).as("replicas of %s", key).isEqualTo(endpoints(node, key));
          assertThat(route.replicas()).as("plan of %s", key).contains(route.first());
        });
    String printed = node.nodetool("getendpoints", "app", "t", "7");
    routes.get(7).replicas().forEach(replica -> assertThat(printed).contains(replica));
  }

  /** What {@code nodetool getendpoints} asks. */
  private static Set<String> endpoints(Node node, int key) {
    try (NodeJmx jmx = node.jmx()) {
      String text = String.class.getName();
      List<?> endpoints =
          (List<?>)
              jmx.invoke(
                  NodeJmx.STORAGE_SERVICE,
                  "getNaturalEndpointsWithPort",
                  new Object[] {"app", "t", Integer.toString(key)},
                  new String[] {text, text, text});
      return endpoints.stream()
          .map(each -> String.valueOf(each).replaceFirst("^/", "").replaceFirst(":\\d+$", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /**
   * Repeated until a round is as of nodes that answer: one that does not for 0.3 s while two reads
   * wait loses its rows for 2 s. A tenth is read once more at ALL.
   */
  private static void readsAtOneGoToTheFirstClassWhoeverCoordinates(
      CqlSession session, List<Node> nodes) {
    await()
        .atMost(Duration.ofSeconds(90))
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () ->
                assertThat(servedByTheFirstClass(session, nodes))
                    .isBetween(ROWS * 9L / 10, ROWS * 13L / 10));
  }

  private static long servedByTheFirstClass(CqlSession session, List<Node> nodes) {
    List<Long> before = nodes.stream().map(HeterogeneousClusterIT::reads).toList();
    for (int id = 0; id < ROWS; id++) {
      Node coordinator = nodes.get(id % nodes.size());
      session.execute(
          SimpleStatement.newInstance("SELECT v FROM app.t WHERE id = ?", id)
              .setConsistencyLevel(DefaultConsistencyLevel.ONE)
              .setNode(Sessions.connected(session, coordinator)));
    }
    long served = 0;
    for (int i = 0; i < nodes.size(); i++) {
      boolean first = nodes.get(i).location().rack().equals("write");
      served += first ? reads(nodes.get(i)) - before.get(i) : 0;
    }
    return served;
  }

  private static void theOtherCopyWasComparedAfterSomeOfThem(CqlSession session, List<Node> nodes) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(nodes.stream().mapToLong(node -> readRepairs(session, node)).sum())
                    .isPositive());
  }

  private static long readRepairs(CqlSession session, Node coordinator) {
    return session
        .execute(
            SimpleStatement.newInstance("SELECT * FROM counterpart.consistency")
                .setNode(Sessions.connected(session, coordinator)))
        .all()
        .stream()
        .filter(row -> "t".equals(row.getString("table_name")))
        .mapToLong(row -> row.getLong("read_repairs"))
        .sum();
  }

  private static long reads(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      return (long)
          jmx.attribute(
              "org.apache.cassandra.metrics:type=Table,keyspace=app,scope=t,name=ReadLatency",
              "Count");
    }
  }

  private static boolean hasStore(Node node) throws IOException {
    Path engine = DataFiles.directory(node, "app", "t").resolve("engine");
    try (Stream<Path> files = Files.isDirectory(engine) ? Files.walk(engine) : Stream.empty()) {
      return files.anyMatch(file -> file.endsWith("data.mdb"));
    }
  }

  private static Set<String> rows(CqlSession session, String table, Node coordinator) {
    return session
        .execute(
            SimpleStatement.newInstance("SELECT id, v FROM " + table)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
                .setNode(Sessions.connected(session, coordinator)))
        .all()
        .stream()
        .map(row -> row.getInt("id") + "=" + row.getString("v"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> expected() {
    Set<String> rows = new TreeSet<>();
    for (int id = 0; id < ROWS; id++) {
      rows.add(id + "=v" + id);
    }
    return rows;
  }

  /** Nodes 1 and 2 are server 1, nodes 3 and 4 server 2; odd ones are write nodes. */
  private static void driversRouteToOneOfEachClassOnTwoServers(
      CqlSession session, String keyspace) {
    TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
    Set<Set<String>> replicas = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      replicas.add(
          tokens
              .getReplicas(keyspace, tokens.newToken(ByteBuffer.allocate(4).putInt(0, i)))
              .stream()
              .map(node -> node.getBroadcastAddress().orElseThrow().getAddress().getHostAddress())
              .collect(Collectors.toSet()));
    }
    assertThat(replicas)
        .containsExactlyInAnyOrder(
            Set.of("127.0.0.1", "127.0.0.4"), Set.of("127.0.0.2", "127.0.0.3"));
  }
}

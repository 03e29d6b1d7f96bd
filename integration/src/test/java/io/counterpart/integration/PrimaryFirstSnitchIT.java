package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.ClusterSpec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The replica that serves a read at ONE, counted on the replicas of a real cluster. */
@OnUsualPorts
class PrimaryFirstSnitchIT {
  private static final String SNITCH = "io.counterpart.cassandra.locator.PrimaryFirstSnitch";
  private static final Path HOME = Path.of("target/snitch-it").toAbsolutePath();
  private static final int KEYS = 600;
  private static final int RANGE_READS = 100;

  /** For requests of which none may fail. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** For requests that may go to a node that does not answer. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  @Test
  void primary_serves_reads_at_one_unless_it_is_slow_or_down() throws Exception {
    try (Cluster cluster = Cluster.start(spec(), StartListener.SILENT);
        CqlSession session = connect(cluster)) {
      assertThat(cluster.node(1).nodetool("describecluster")).contains("PrimaryFirstSnitch");
      // drivers read the keyspaces when they connect, and no table is decoupled yet
      assertThat(session.getMetadata().getKeyspace("counterpart")).isPresent();
      assertThat(session.execute("SELECT * FROM counterpart.tables").all()).isEmpty();
      load(session);

      long[] before = reads(cluster);
      long[] expected = new long[3];
      for (int key = 0; key < KEYS; key++) {
        expected[primary(cluster, key) - 1]++;
      }
      readAll(session, LONG);
      long[] after = reads(cluster);

      long servedByPrimary = 0;
      for (int i = 0; i < 3; i++) {
        servedByPrimary += Math.min(expected[i], after[i] - before[i]);
      }
      assertThat(servedByPrimary)
          .as("of %s reads by primary, %s by node", expected, after)
          .isGreaterThan(KEYS * 9 / 10);

      readRanges(cluster, session);
      seeTimings(cluster, session);
      setAnew(cluster.node(1));
      avoidASlowPrimary(cluster, session);
      cluster.node(3).kill();
      readAllInTheEnd(session);
    }
  }

  /** Each range read wants one row, which its first range has. */
  private static void readRanges(Cluster cluster, CqlSession session) {
    cluster.nodes().forEach(node -> node.nodetool("flush"));
    long[] before = counts(cluster, "RangeLatency");
    long[] expected = new long[3];
    for (int key = 0; key < RANGE_READS; key++) {
      expected[primary(cluster, key) - 1]++;
      session.execute(
          patient("SELECT v FROM ks.t WHERE token(k) >= token(?) LIMIT 1", "k" + key)
              .setConsistencyLevel(ConsistencyLevel.ONE));
    }
    long[] after = counts(cluster, "RangeLatency");
    for (int i = 0; i < 3; i++) {
      assertThat(after[i] - before[i])
          .as("range reads of node %d", i + 1)
          .isBetween(expected[i] - RANGE_READS / 10, expected[i] + RANGE_READS / 10);
    }
  }

  /** An operator may set the snitch of a node that runs: it shall know what the one before knew. */
  private static void setAnew(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageService",
          "updateSnitch",
          new Object[] {SNITCH, false, null, null, null},
          new String[] {
            String.class.getName(),
            Boolean.class.getName(),
            Integer.class.getName(),
            Integer.class.getName(),
            Double.class.getName()
          });
    }
  }

  /** A node that hangs is alive for the failure detector: only the snitch can tell. */
  private static void avoidASlowPrimary(Cluster cluster, CqlSession session) throws Exception {
    Node slow = cluster.node(3);
    signal("STOP", slow);
    try {
      readAllInTheEnd(session);
      assertThat(unreachable(cluster.node(1))).isEmpty();
      Row replica = pointReplica(session, slow);
      assertThat(replica.getString("state")).isIn("suspect", "avoided");
      assertThat(replica.getDouble("lost_share")).isOne();
      assertThat(replica.getList("switches", String.class)).isNotEmpty();
    } finally {
      signal("CONT", slow);
    }

    long before = reads(cluster)[slow.index() - 1];
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () -> {
              readAll(session, SHORT);
              assertThat(reads(cluster)[slow.index() - 1]).isGreaterThan(before + KEYS / 10);
            });
  }

  /** What the coordinator thinks of a node, as operators see it. */
  private static Row pointReplica(CqlSession session, Node node) {
    return session.execute(patient("SELECT * FROM counterpart.replicas")).all().stream()
        .filter(row -> "point".equals(row.getString("reads")))
        .filter(row -> row.getString("endpoint").startsWith(node.address() + ":"))
        .findFirst()
        .orElseThrow();
  }

  /** Every node is timed, the coordinator itself too, in microseconds and by kind of read. */
  private static void seeTimings(Cluster cluster, CqlSession session) {
    for (Node node : cluster.nodes()) {
      Row replica = pointReplica(session, node);
      assertThat(replica.getDouble("least_micros")).isBetween(10.0, 60e6);
      assertThat(replica.getDouble("p95_micros")).isPositive();
    }
    assertThat(session.execute(patient("SELECT reads FROM counterpart.replicas")).all())
        .extracting(row -> row.getString("reads"))
        .contains("range");
  }

  /** The first reads of a primary that does not answer wait for it until time-outs tell. */
  private static void readAllInTheEnd(CqlSession session) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(() -> readAll(session, SHORT));
  }

  private static void signal(String name, Node node) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(node.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private static List<?> unreachable(Node observer) {
    try (NodeJmx jmx = observer.jmx()) {
      return (List<?>)
          jmx.attribute("org.apache.cassandra.db:type=StorageService", "UnreachableNodesWithPort");
    }
  }

  /** What is not measured may take as long as a busy machine does. */
  private static SimpleStatement patient(String query, Object... values) {
    return SimpleStatement.newInstance(query, values).setTimeout(LONG);
  }

  private static void load(CqlSession session) {
    session.execute(
        patient(
            "CREATE KEYSPACE ks WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 3}"));
    session.execute(
        patient("CREATE TABLE ks.t (k text PRIMARY KEY, v int) WITH speculative_retry = 'NEVER'"));
    for (int key = 0; key < KEYS; key++) {
      session.execute(
          patient("INSERT INTO ks.t (k, v) VALUES (?, ?)", "k" + key, key)
              .setConsistencyLevel(ConsistencyLevel.ALL));
    }
  }

  // all through one coordinator, which a stock network snitch would let serve every read itself
  private static void readAll(CqlSession session, Duration timeout) {
    for (int key = 0; key < KEYS; key++) {
      SimpleStatement read =
          SimpleStatement.newInstance("SELECT v FROM ks.t WHERE k = ?", "k" + key)
              .setConsistencyLevel(ConsistencyLevel.ONE)
              .setTimeout(timeout);
      assertThat(session.execute(read).one().getInt(0)).isEqualTo(key);
    }
  }

  private static long[] reads(Cluster cluster) {
    return counts(cluster, "ReadLatency");
  }

  private static long[] counts(Cluster cluster, String metric) {
    long[] counts = new long[3];
    for (Node node : cluster.nodes()) {
      try (NodeJmx jmx = node.jmx()) {
        counts[node.index() - 1] = jmx.tableCounter("ks", "t", metric);
      }
    }
    return counts;
  }

  private static int primary(Cluster cluster, int key) {
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      List<?> endpoints =
          (List<?>)
              jmx.invoke(
                  "org.apache.cassandra.db:type=StorageService",
                  "getNaturalEndpointsWithPort",
                  new Object[] {"ks", "t", "k" + key},
                  new String[] {"java.lang.String", "java.lang.String", "java.lang.String"});
      String address = endpoints.get(0).toString().split(":")[0];
      return cluster.nodes().stream()
          .filter(node -> node.address().equals(address))
          .findFirst()
          .orElseThrow()
          .index();
    }
  }

  private static CqlSession connect(Cluster cluster) {
    Node first = cluster.node(1);
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(first.address(), first.cqlPort()))
        .withLocalDatacenter(first.location().dc())
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, LONG)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, LONG)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, LONG)
                .build())
        .withNodeFilter(
            node ->
                node.getEndPoint().resolve() instanceof InetSocketAddress address
                    && address.getAddress().getHostAddress().equals(first.address()))
        .build();
  }

  private static ClusterSpec spec() {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(HOME)
        .nodes(3)
        .tokensPerNode(4)
        .heapMegabytes(512)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        // the failure detector is as patient as it can be: it must not be what helps
        .yaml(Map.of("dynamic_snitch", false, "phi_convict_threshold", 16))
        .snitch(SNITCH)
        .build();
  }
}

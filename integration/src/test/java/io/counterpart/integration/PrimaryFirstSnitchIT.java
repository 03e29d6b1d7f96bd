package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.ClusterSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** The replica that serves a read at ONE, counted on the replicas of a real cluster. */
@OnThirdPorts
class PrimaryFirstSnitchIT {
  static final String SNITCH = "io.counterpart.cassandra.locator.PrimaryFirstSnitch";
  private static final Path HOME = Path.of("target/snitch-it").toAbsolutePath();
  private static final int NODES = 3;
  private static final int KEYS = 600;
  private static final int RANGE_READS = 100;
  private static final double HEDGE_SHARE = 0.1;

  /** For requests that may go to a node that does not answer. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private TestCluster cluster;

  /** The keys of which a node is the primary; of node 1 at 0. */
  private List<List<Integer>> keys;

  @Test
  void primary_serves_reads_at_one_unless_it_is_slow_or_down() throws Exception {
    try (TestCluster started = TestCluster.start(spec())) {
      cluster = started;
      assertThat(cluster.node(1).nodetool("describecluster")).contains("PrimaryFirstSnitch");
      seeKeyspaces();
      load();
      keys = keysByPrimary();
      readAll(Sessions.PATIENT);

      primariesServe("ReadLatency", KEYS, key -> read(key, Sessions.PATIENT));
      cluster.flush("ks");
      primariesServe("RangeLatency", RANGE_READS, this::readRange);
      seeTimings();
      hedgeWithinAShare();
      setAnew(cluster.node(1));
      avoidASlowPrimary();
      cluster.node(3).kill();
      settling().untilAsserted(() -> readAll(SHORT));
    }
  }

  /** Drivers read the keyspaces when they connect; no table is decoupled yet. */
  private void seeKeyspaces() {
    try (CqlSession session = Sessions.openWithSchema(cluster.node(1))) {
      assertThat(session.getMetadata().getKeyspace("counterpart")).isPresent();
    }
    assertThat(query("SELECT * FROM counterpart.tables")).isEmpty();
  }

  private void load() {
    cluster.createKeyspace("ks", "{'class': 'NetworkTopologyStrategy', 'replication_factor': 3}");
    cluster.execute(
        "CREATE TABLE ks.t (k text PRIMARY KEY, v int) WITH speculative_retry = 'NEVER'");
    cluster.executeAll(
        IntStream.range(0, KEYS)
            .mapToObj(key -> "INSERT INTO ks.t (k, v) VALUES ('k%d', %1$d)".formatted(key))
            .toList());
  }

  /**
   * Most reads go to their primary, counted on one node after the other while its own keys are
   * read. A snitch that prefers no replica would send a third of them there. One that prefers the
   * coordinator, as stock ones do, would do so for node 1 alone, which is about a third as well.
   *
   * <p>The snitch rightly leaves a node that answers slowly for a moment, because it was just
   * started or other processes have the processors: the cluster has some time to settle.
   */
  private void primariesServe(String metric, int most, IntConsumer read) {
    settling()
        .untilAsserted(
            () -> {
              List<Integer> asked = new ArrayList<>();
              List<Long> served = new ArrayList<>();
              for (Node node : cluster.live()) {
                List<Integer> own =
                    keys.get(node.index() - 1).stream().filter(key -> key < most).toList();
                long before = count(node, metric);
                own.forEach(read::accept);
                asked.add(own.size());
                served.add(Math.min(own.size(), count(node, metric) - before));
              }
              assertThat(served.stream().mapToLong(Long::longValue).sum())
                  .as("%s of nodes 1 to 3: %s by the primary of %s", metric, served, asked)
                  .isGreaterThan(most * 9L / 10);
            });
  }

  /** Every node is timed, the coordinator itself too, in microseconds and by kind of read. */
  private void seeTimings() {
    settling()
        .untilAsserted(
            () -> {
              readAll(Sessions.PATIENT);
              for (Node node : cluster.live()) {
                Row replica = pointReplica(node);
                assertThat(replica.getDouble("least_micros")).isBetween(10.0, 60e6);
                assertThat(replica.getDouble("p95_micros")).isPositive();
              }
            });
    assertThat(query("SELECT reads FROM counterpart.replicas"))
        .extracting(row -> row.getString("reads"))
        .contains("range");
  }

  /** A table with Cassandra's default, and one whose operator chose a time. */
  private void hedgeWithinAShare() {
    cluster.execute("CREATE TABLE ks.hedged (k text PRIMARY KEY, v int)");
    cluster.execute(
        "CREATE TABLE ks.chosen (k text PRIMARY KEY, v int) WITH speculative_retry = '10000ms'");
    settling()
        .untilAsserted(
            () -> {
              for (int key = 0; key < 5 * KEYS; key++) {
                execute("SELECT v FROM ks.hedged WHERE k = ?", key, Sessions.PATIENT);
              }
              long hedges = metric("hedged", "SpeculativeRetries");
              assertThat(hedges).isPositive();
              assertThat(hedges)
                  .isLessThan((long) (HEDGE_SHARE * metric("hedged", "CoordinatorReadLatency")));
              // Cassandra's own time is the 99th percentile of the table's reads
              assertThat(percentiles())
                  .contains(metric("hedged", "SpeculativeSampleLatencyNanos") / 1_000);
            });
    // Cassandra's: half of the time-out until it first takes the operator's
    assertThat(metric("chosen", "SpeculativeSampleLatencyNanos"))
        .isIn(5_000_000_000L, 10_000_000_000L);
  }

  private List<Long> percentiles() {
    return query("SELECT * FROM counterpart.replicas").stream()
        .filter(row -> "point".equals(row.getString("reads")))
        .map(row -> Math.round(row.getDouble("p95_micros")))
        .toList();
  }

  private long metric(String table, String name) {
    return count(cluster.node(1), table, name);
  }

  /** An operator may set the snitch of a node that runs: it shall know what the one before knew. */
  private static void setAnew(Node node) {
    setSnitch(node, SNITCH);
  }

  /** Changes the snitch of a node that runs. */
  static void setSnitch(Node node, String name) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          NodeJmx.STORAGE_SERVICE,
          "updateSnitch",
          new Object[] {name, false, null, null, null},
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
  private void avoidASlowPrimary() {
    Node slow = cluster.node(3);
    slow.pause();
    try {
      settling()
          .untilAsserted(
              () -> {
                // the first reads wait for it until time-outs tell
                readAll(SHORT);
                List<?> unreachable = unreachable(cluster.node(1));
                if (!unreachable.isEmpty()) {
                  // the machine was slower than the failure detector is patient: once more
                  slow.resume();
                  slow.pause();
                }
                assertThat(unreachable).isEmpty();
                Row replica = pointReplica(slow);
                assertThat(replica.getString("state")).isIn("suspect", "avoided");
                assertThat(replica.getDouble("lost_share")).isOne();
                assertThat(replica.getList("switches", String.class)).isNotEmpty();
              });
    } finally {
      slow.resume();
    }

    long before = count(slow, "ReadLatency");
    settling()
        .untilAsserted(
            () -> {
              readAll(SHORT);
              assertThat(count(slow, "ReadLatency")).isGreaterThan(before + KEYS / 10);
            });
  }

  /** Repeats a round of reads until it is as a settled cluster has it. */
  private static ConditionFactory settling() {
    return await()
        .atMost(Duration.ofSeconds(150))
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(DriverException.class);
  }

  /** What the coordinator thinks of a node, as operators see it. */
  private Row pointReplica(Node node) {
    return query("SELECT * FROM counterpart.replicas").stream()
        .filter(row -> "point".equals(row.getString("reads")))
        .filter(row -> row.getString("endpoint").startsWith(node.address() + ":"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no timings of " + node));
  }

  private static List<?> unreachable(Node observer) {
    try (NodeJmx jmx = observer.jmx()) {
      return (List<?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, "UnreachableNodesWithPort");
    }
  }

  private List<Row> query(String cql) {
    return cluster.query(cluster.node(1), DefaultConsistencyLevel.ONE, cql);
  }

  private void readAll(Duration timeout) {
    for (int key = 0; key < KEYS; key++) {
      read(key, timeout);
    }
  }

  private void read(int key, Duration timeout) {
    Row row = execute("SELECT v FROM ks.t WHERE k = ?", key, timeout);
    if (row == null || row.getInt(0) != key) {
      throw new IllegalStateException("k" + key + " has another value");
    }
  }

  /** Wants one row, which its first range has. */
  private void readRange(int key) {
    execute("SELECT v FROM ks.t WHERE token(k) >= token(?) LIMIT 1", key, Sessions.PATIENT);
  }

  // all through one coordinator, which a stock network snitch would let serve every read itself
  private Row execute(String cql, int key, Duration timeout) {
    return cluster
        .session()
        .execute(
            SimpleStatement.newInstance(cql, "k" + key)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                .setNode(cluster.driverNode(cluster.node(1)))
                .setTimeout(timeout))
        .one();
  }

  private static long count(Node node, String metric) {
    return count(node, "t", metric);
  }

  private static long count(Node node, String table, String metric) {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.tableCounter("ks", table, metric);
    }
  }

  private List<List<Integer>> keysByPrimary() {
    List<List<Integer>> byPrimary = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      byPrimary.add(new ArrayList<>());
    }
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      for (int key = 0; key < KEYS; key++) {
        byPrimary.get(primary(jmx, key).index() - 1).add(key);
      }
    }
    return byPrimary;
  }

  private Node primary(NodeJmx jmx, int key) {
    List<?> endpoints =
        (List<?>)
            jmx.invoke(
                NodeJmx.STORAGE_SERVICE,
                "getNaturalEndpointsWithPort",
                new Object[] {"ks", "t", "k" + key},
                new String[] {"java.lang.String", "java.lang.String", "java.lang.String"});
    String address = endpoints.get(0).toString().split(":")[0];
    return cluster.live().stream()
        .filter(node -> node.address().equals(address))
        .findFirst()
        .orElseThrow();
  }

  private static ClusterSpec spec() {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(HOME)
        .nodes(NODES)
        .tokensPerNode(4)
        .heapMegabytes(512)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        // the failure detector is as patient as it can be: it must not be what helps
        .yaml(Map.of("dynamic_snitch", false, "phi_convict_threshold", 16))
        .snitch(SNITCH)
        .ports(Shape.THIRD_PORTS)
        .jvmOptions(List.of("-Dcounterpart.snitch.hedge_share=" + HEDGE_SHARE))
        .build();
  }
}

package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodetoolException;
import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Throttle, number of compactors and stop affect a decoupled table as any other. */
@OnCluster(Shape.THREE_NODES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompactionControlIT {
  private static final String KEYSPACE = "control";
  private static final String TABLE = "t";

  private final Seed seed = Seed.of(CompactionControlIT.class);
  private AcknowledgedWrites rows;
  private TestCluster cluster;
  private Node node;

  @BeforeAll
  void load(TestCluster running) {
    cluster = running;
    node = cluster.node(1);
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    // at the lowest throughput, some twenty seconds of compaction
    rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            "compression = {'enabled': false} AND compaction = "
                + TestCluster.decoupled(Map.of("split_idle", "86400")),
            2000,
            10_000,
            seed);
    rows.writeAllAndFlush(1);
    cluster.settle(KEYSPACE, TABLE);
  }

  @AfterAll
  void reset() {
    set("CompactionThroughputMbPerSec", 0);
    set("ConcurrentCompactors", 2);
  }

  @Test
  void compaction_is_throttled_stopped_and_run_in_parallel() throws Exception {
    set("CompactionThroughputMbPerSec", 1);
    Thread stopped = compact();
    await().atMost(Duration.ofSeconds(60)).until(() -> !compactions().isEmpty());
    assertThat(timeToCompact(4 << 20))
        .as("4 MiB at 1 MiB/s, of which a second's worth may come at once")
        .isGreaterThan(Duration.ofSeconds(2));

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> tasks("running").stream().anyMatch(CompactionControlIT::isHalfDone));

    while (stopped.isAlive()) { // between two groups there is nothing to stop
      stop();
    }
    TableState half = cluster.state(node, KEYSPACE, TABLE);
    assertThat(half.runs() + half.primarySstables())
        .as("some groups were not reached: " + half)
        .isGreaterThan(half.rangeGroups());
    rows.check(node, DefaultConsistencyLevel.ONE);

    // what a flush leaves spans the groups and goes first; once it is aligned, each group is a task
    set("CompactionThroughputMbPerSec", 0);
    node.nodetool("compact", KEYSPACE, TABLE);
    set("CompactionThroughputMbPerSec", 1);
    set("ConcurrentCompactors", 3);
    Thread parallel = compact();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(compactions()).hasSize(3));
    set("CompactionThroughputMbPerSec", 0);
    parallel.join();
    TableState state = cluster.state(node, KEYSPACE, TABLE);
    assertThat(state.runs() + state.primarySstables())
        .as(state.toString())
        .isEqualTo(state.rangeGroups());
    rows.check(node, DefaultConsistencyLevel.ONE);
    assertThat(tasks("done"))
        .isNotEmpty()
        .allSatisfy(task -> assertThat(task.getDouble("duration_seconds")).isPositive());
  }

  private static boolean isHalfDone(Row task) {
    return task.getDouble("progress") > 0
        && task.getDouble("progress") < 1
        && task.getDouble("duration_seconds") > 0
        && task.getLong("bytes") > 0;
  }

  /** The table's rewrites in a state. */
  private List<Row> tasks(String state) {
    return cluster
        .query(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT * FROM counterpart.tasks WHERE keyspace_name = '%s' AND table_name = '%s'"
                .formatted(KEYSPACE, TABLE))
        .stream()
        .filter(task -> state.equals(task.getString("state")))
        .toList();
  }

  private Duration timeToCompact(long bytes) {
    long start = System.nanoTime();
    long before = bytesCompacted();
    await().atMost(Duration.ofSeconds(60)).until(() -> bytesCompacted() >= before + bytes);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private long bytesCompacted() {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.tableCounter(KEYSPACE, TABLE, "CompactionBytesWritten");
    }
  }

  /** The table's compactions that run now. */
  private List<Row> compactions() {
    return cluster
        .query(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT table_name, progress FROM system_views.sstable_tasks"
                + " WHERE keyspace_name = 'control'")
        .stream()
        .filter(row -> TABLE.equals(row.getString("table_name")))
        .toList();
  }

  /** As nodetool's "setcompactionthroughput" and "setconcurrentcompactors" do, without its JVM. */
  private void set(String limit, int value) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.setAttribute(NodeJmx.STORAGE_SERVICE, limit, value);
    }
  }

  /** As "nodetool stop" does, which takes seconds to start: the compaction must not end before. */
  private void stop() {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=CompactionManager",
          "stopCompaction",
          new Object[] {"MAJOR_COMPACTION"},
          new String[] {String.class.getName()});
    }
  }

  /** Starts a compaction that may be stopped. */
  private Thread compact() {
    Thread compacting =
        new Thread(
            () -> {
              try {
                node.nodetool("compact", KEYSPACE, TABLE);
              } catch (NodetoolException stopped) {
                // what "stop" is for
              }
            },
            "compact");
    compacting.start();
    return compacting;
  }
}

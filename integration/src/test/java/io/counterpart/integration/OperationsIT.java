package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators' commands on a table: its data stays right and its sstables keep their roles. */
@OnCluster(Shape.THREE_NODES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationsIT {
  private static final String KEYSPACE = "operations";
  private static final String TABLE = "t";
  private static final int ROWS = 3000;

  private final Seed seed = Seed.of(OperationsIT.class);
  private AcknowledgedWrites rows;

  @BeforeAll
  void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            "compaction = " + TestCluster.decoupled(Map.of("runs", "2", "split", "background")),
            ROWS,
            300,
            seed);
    rows.writeAllAndFlush(3);
    cluster.settle(KEYSPACE, TABLE);
  }

  /** Leaves one new segment and one new wide primary file on each node, and settled data below. */
  private void addUnsplitFlush(TestCluster cluster) {
    cluster.stopCompaction(KEYSPACE, TABLE);
    rows.write(0, ROWS / 2);
    cluster.flush(KEYSPACE);
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, TABLE);
      assertThat(state.segmentBytes()).as(state.toString()).isPositive();
      assertThat(state.widePrimaryBytes()).as(state.toString()).isPositive();
    }
  }

  @Test
  void flush_separates_primary_from_redundant_copies(TestCluster cluster) {
    Node node = cluster.node(1);
    long primary = cluster.counter(node, KEYSPACE, TABLE, "FlushedPrimaryBytes");
    long redundant = cluster.counter(node, KEYSPACE, TABLE, "FlushedRedundantBytes");
    rows.writeAll();

    node.nodetool("flush", KEYSPACE, TABLE);

    assertThat(cluster.counter(node, KEYSPACE, TABLE, "FlushedPrimaryBytes"))
        .isGreaterThan(primary);
    assertThat(cluster.counter(node, KEYSPACE, TABLE, "FlushedRedundantBytes"))
        .isGreaterThan(redundant);
    finish(cluster);
  }

  @Test
  void compact_leaves_one_sstable_a_group(TestCluster cluster) {
    addUnsplitFlush(cluster);

    cluster.compact(KEYSPACE);

    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, TABLE);
      assertThat(state.segmentBytes() + state.widePrimaryBytes() + state.mixedBytes())
          .as(state.toString())
          .isZero();
      assertThat(state.runs() + state.primarySstables())
          .as(state.toString())
          .isEqualTo(state.rangeGroups());
    }
    finish(cluster);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cleanup", "garbagecollect", "scrub", "verify -e -f"})
  void rewriting_one_by_one_keeps_every_role(String command, TestCluster cluster) {
    addUnsplitFlush(cluster);
    Node node = cluster.node(2);
    TableState before = cluster.state(node, KEYSPACE, TABLE);

    String[] words = (command + " " + KEYSPACE + " " + TABLE).split(" ");
    node.nodetool(words);

    TableState after = cluster.state(node, KEYSPACE, TABLE);
    assertThat(after.segments()).isEqualTo(before.segments());
    assertThat(after.runs()).isEqualTo(before.runs());
    assertThat(after.primarySstables()).isEqualTo(before.primarySstables());
    assertThat(after.mixedBytes() + after.foreignBytes()).as(after.toString()).isZero();
    rows.check(node, DefaultConsistencyLevel.ONE);
    finish(cluster);
  }

  @Test
  void metrics_and_virtual_tables_agree(TestCluster cluster) {
    cluster.settle(KEYSPACE, TABLE);
    // gauges of one scrape share a report for a second
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> cluster.live().forEach(node -> assertGauges(cluster, node)));
  }

  private static void assertGauges(TestCluster cluster, Node node) {
    TableState state = cluster.state(node, KEYSPACE, TABLE);
    assertThat(gauge(node, "PrimaryBytes")).isEqualTo(state.primaryBytes());
    assertThat(gauge(node, "RunBytes")).isEqualTo(state.runBytes());
    assertThat(gauge(node, "Runs")).isEqualTo((long) state.runs());
    assertThat(gauge(node, "PrimarySstables")).isEqualTo((long) state.primarySstables());
    assertThat(gauge(node, "RangeGroups")).isEqualTo((long) state.rangeGroups());
    assertThat(gauge(node, "ZeroCopyShare")).isEqualTo(1.0);
    assertThat((double) gauge(node, "PrimaryWriteAmplification")).isGreaterThan(1.2);
    assertThat((double) gauge(node, "RedundantWriteAmplification")).isGreaterThan(1.2);
    long inGroups =
        cluster
            .query(
                node,
                DefaultConsistencyLevel.ONE,
                "SELECT bytes FROM counterpart.range_groups"
                    + " WHERE keyspace_name = 'operations' AND table_name = 't'")
            .stream()
            .mapToLong(row -> row.getLong("bytes"))
            .sum();
    assertThat(inGroups).isEqualTo(state.primaryBytes() + state.runBytes());
  }

  private static Object gauge(Node node, String name) {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.attribute(
          "org.apache.cassandra.metrics:type=Counterpart,scope=operations.t,name=" + name, "Value");
    }
  }

  @Test
  void snapshots_are_taken_listed_and_cleared(TestCluster cluster) {
    Node node = cluster.node(1);
    node.nodetool("snapshot", "-t", "kept", KEYSPACE);
    assertThat(node.nodetool("listsnapshots")).contains("kept", TABLE);

    node.nodetool("clearsnapshot", "-t", "kept", KEYSPACE);

    assertThat(node.nodetool("listsnapshots")).doesNotContain("kept");
    rows.checkEverywhere();
  }

  @Test
  void a_restored_snapshot_has_every_value_and_every_role(TestCluster cluster) {
    addUnsplitFlush(cluster);
    for (Node node : cluster.live()) {
      Snapshots.take(node, "restored", KEYSPACE);
    }
    Map<Node, TableState> before =
        cluster.live().stream()
            .collect(Collectors.toMap(node -> node, node -> cluster.state(node, KEYSPACE, TABLE)));
    cluster.execute("TRUNCATE operations.t");
    // files of a truncated table are deleted in the background
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(DataFiles.of(cluster.node(1), KEYSPACE, TABLE)).isEmpty());

    for (Node node : cluster.live()) {
      Path snapshot = DataFiles.directory(node, KEYSPACE, TABLE).resolve("snapshots/restored");
      node.nodetool("import", "--copy-data", KEYSPACE, TABLE, snapshot.toString());
    }

    before.forEach(
        (node, state) -> {
          TableState restored = cluster.state(node, KEYSPACE, TABLE);
          assertThat(restored.segmentBytes()).isEqualTo(state.segmentBytes());
          assertThat(restored.widePrimaryBytes()).isEqualTo(state.widePrimaryBytes());
          assertThat(restored.runs()).isEqualTo(state.runs());
          assertThat(restored.primarySstables()).isEqualTo(state.primarySstables());
        });
    rows.checkEverywhere();
    finish(cluster);
    cluster.live().forEach(node -> Snapshots.clear(node, KEYSPACE));
  }

  @Test
  void a_vector_index_is_flushed_whole_and_split_later(TestCluster cluster) {
    Map<String, String> tables =
        Map.of("vectors", " WITH compaction = " + TestCluster.decoupled(Map.of()), "stock", "");
    tables.forEach(
        (table, options) -> {
          cluster.execute(
              "CREATE TABLE operations.%s (id int PRIMARY KEY, v vector<float, 2>)%s"
                  .formatted(table, options));
          cluster.execute("CREATE INDEX ON operations.%s (v) USING 'sai'".formatted(table));
        });
    cluster.stopCompaction(KEYSPACE, "vectors");
    for (String table : tables.keySet()) {
      cluster.executeAll(
          IntStream.rangeClosed(1, 200)
              .mapToObj(
                  id ->
                      "INSERT INTO operations.%s (id, v) VALUES (%d, [%d, 100])"
                          .formatted(table, id, id))
              .toList());
    }
    cluster.flush(KEYSPACE);
    for (Node node : cluster.live()) {
      assertThat(cluster.state(node, KEYSPACE, "vectors").mixedBytes()).isPositive();
    }
    cluster.startCompaction(KEYSPACE, "vectors");

    cluster.settle(KEYSPACE, "vectors", state -> state.mixedBytes() == 0 && state.runBytes() > 0);

    for (Node node : cluster.live()) {
      List<Integer> nearest = nearest(cluster, node, "vectors");
      assertThat(nearest).hasSize(5).isEqualTo(nearest(cluster, node, "stock"));
    }
    tables.keySet().forEach(table -> cluster.execute("DROP TABLE operations." + table));
  }

  private static List<Integer> nearest(TestCluster cluster, Node node, String table) {
    return cluster
        .query(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT id FROM operations.%s ORDER BY v ANN OF [70, 100] LIMIT 5".formatted(table))
        .stream()
        .map(row -> row.getInt("id"))
        .sorted()
        .toList();
  }

  @Test
  void repairs_full_then_incremental_with_anticompaction(TestCluster cluster) {
    rows.writeAllAndFlush(1);
    cluster.node(1).nodetool("repair", "-full", KEYSPACE, TABLE);
    rows.checkEverywhere();

    // a part of the ring only: segments hold more than it and must be anticompacted
    addUnsplitFlush(cluster);
    cluster.node(1).nodetool("repair", "-pr", KEYSPACE, TABLE);
    rows.write(0, ROWS / 2);
    cluster.flush(KEYSPACE);
    cluster.node(2).nodetool("repair", KEYSPACE, TABLE);

    finish(cluster);
    for (Node node : cluster.live()) {
      try (NodeJmx jmx = node.jmx()) {
        assertThat(jmx.tableCounter(KEYSPACE, TABLE, "BytesAnticompacted")).isPositive();
      }
    }
  }

  @Test
  void work_waits_while_automatic_compaction_is_off(TestCluster cluster) {
    Node node = cluster.node(1);
    cluster.settle(KEYSPACE, TABLE);
    node.nodetool("disableautocompaction", KEYSPACE, TABLE);
    cluster.awaitCompactions(KEYSPACE, TABLE);
    long split = cluster.counter(node, KEYSPACE, TABLE, "SplitBytes");
    rows.writeAllAndFlush(2);
    assertThat(cluster.counter(node, KEYSPACE, TABLE, "SplitBytes")).isEqualTo(split);
    assertThat(cluster.state(node, KEYSPACE, TABLE).backlog()).isPositive();

    node.nodetool("enableautocompaction", KEYSPACE, TABLE);

    finish(cluster);
    assertThat(cluster.counter(node, KEYSPACE, TABLE, "SplitBytes")).isGreaterThan(split);
  }

  @Test
  void user_defined_compaction_of_segments_makes_runs(TestCluster cluster) {
    addUnsplitFlush(cluster);
    Node node = cluster.node(1);
    List<String> segments = segmentFiles(cluster, node);
    assertThat(segments).isNotEmpty();

    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=CompactionManager",
          "forceUserDefinedCompaction",
          new Object[] {String.join(",", segments)},
          new String[] {String.class.getName()});
    }

    assertThat(cluster.state(node, KEYSPACE, TABLE).segments()).isZero();
    rows.check(node, DefaultConsistencyLevel.ONE);
    finish(cluster);
  }

  private static List<String> segmentFiles(TestCluster cluster, Node node) {
    List<String> ids =
        cluster
            .query(
                node,
                DefaultConsistencyLevel.ONE,
                "SELECT sstable, role FROM counterpart.global_log"
                    + " WHERE keyspace_name = 'operations' AND table_name = 't'")
            .stream()
            .filter(row -> "segment".equals(row.getString("role")))
            .map(row -> row.getString("sstable"))
            .collect(Collectors.toList());
    return DataFiles.of(node, KEYSPACE, TABLE).stream()
        .map(Path::toString)
        .filter(path -> ids.stream().anyMatch(id -> path.endsWith("-" + id + "-big-Data.db")))
        .toList();
  }

  /**
   * Lets the nodes do what is due, then everything must be right and every sstable in its place.
   */
  private void finish(TestCluster cluster) {
    cluster.settle(
        KEYSPACE,
        TABLE,
        state -> state.mixedBytes() == 0 && state.foreignBytes() == 0 && state.segments() <= 2);
    rows.checkEverywhere();
  }
}

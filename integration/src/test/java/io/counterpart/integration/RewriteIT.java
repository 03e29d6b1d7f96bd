package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.layout.NodeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rewrites of a node, and the sstables that it leaves alone: counts of sstables, levels, tasks.
 */
@OnCluster(Shape.THREE_NODES)
class RewriteIT {
  private static final String KEYSPACE = "rewrites";
  private static final int ROWS = 3000;

  private final Seed seed = Seed.of(RewriteIT.class);

  /** Each test has a table of its own: tasks and files outlive a dropped one. */
  private AcknowledgedWrites create(
      TestCluster cluster, String table, Map<String, String> options, int valueBytes) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    return new AcknowledgedWrites(
        cluster,
        KEYSPACE + "." + table,
        "compression = {'enabled': false} AND compaction = " + TestCluster.decoupled(options),
        ROWS,
        valueBytes,
        seed);
  }

  /** Segments and wide primary files are not cut, and a levelled tree keeps its levels. */
  @ParameterizedTest
  @ValueSource(strings = {"ucs", "lcs"})
  void a_change_of_format_leaves_every_sstable_what_it_is(String primary, TestCluster cluster)
      throws Exception {
    Map<String, String> options = new TreeMap<>(Map.of("split", "background", "primary", primary));
    if (primary.equals("lcs")) {
      options.put("primary.sstable_size_in_mb", "1");
    }
    // a megabyte of primary copies in a group: enough for a second level
    int valueBytes = primary.equals("lcs") ? 4000 : 1000;
    AcknowledgedWrites rows = create(cluster, primary, options, valueBytes);
    rows.writeAllAndFlush(3);
    cluster.settle(KEYSPACE, primary);
    cluster.stopCompaction(KEYSPACE, primary);
    for (int flush = 0; flush < 5; flush++) {
      rows.write(0, 1500);
      cluster.flush(KEYSPACE);
    }
    Node node = cluster.node(2);
    TableState before = cluster.state(node, KEYSPACE, primary);
    assertThat(before.segments()).isGreaterThanOrEqualTo(5);
    List<Path> files = DataFiles.of(node, KEYSPACE, primary);
    Map<String, Long> levels = levels(node, files);
    if (primary.equals("lcs")) {
      assertThat(levels).as("levels").containsKey("1");
    }

    node.nodetool("upgradesstables", "-a", KEYSPACE, primary);

    TableState after = cluster.state(node, KEYSPACE, primary);
    // sstables that were rewritten are deleted a moment later
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(DataFiles.of(node, KEYSPACE, primary))
                    .doesNotContainAnyElementsOf(files));
    List<Path> rewritten = DataFiles.of(node, KEYSPACE, primary);
    assertThat(rewritten).hasSameSizeAs(files);
    assertThat(after.segments()).isEqualTo(before.segments());
    assertThat(after.runs()).isEqualTo(before.runs());
    assertThat(after.primarySstables()).isEqualTo(before.primarySstables());
    assertThat(levels(node, rewritten)).isEqualTo(levels);
    rows.check(node, DefaultConsistencyLevel.ONE);
    cluster.startCompaction(KEYSPACE, primary);
    cluster.settle(KEYSPACE, primary);
    rows.checkEverywhere();
    // a task is done a moment after its sstables are live
    await()
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .untilAsserted(
            () ->
                assertThat(tasks(cluster, node, primary))
                    .anySatisfy(task -> assertTask(task, "REWRITE", "asked for by an operator"))
                    .anySatisfy(task -> assertThat(task.getString("kind")).isEqualTo("SPLIT"))
                    .allSatisfy(task -> assertThat(task.getString("state")).isEqualTo("done"))
                    .allSatisfy(task -> assertThat(task.getDouble("progress")).isEqualTo(1.0))
                    .allSatisfy(task -> assertThat(task.getInt("inputs")).isPositive()));
    assertThat(Files.readAllLines(node.logFile()))
        .as("the reason is in the log")
        .anyMatch(line -> line.matches(".*SPLIT \\(.+\\) of \\d+ sstables.*" + KEYSPACE + ".*"));
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private static void assertTask(Row task, String kind, String reason) {
    assertThat(task.getString("kind")).isEqualTo(kind);
    assertThat(task.getString("reason")).isEqualTo(reason);
    assertThat(task.getLong("bytes")).isPositive();
  }

  private static List<Row> tasks(TestCluster cluster, Node node, String table) {
    return cluster.query(
        node,
        DefaultConsistencyLevel.ONE,
        "SELECT * FROM counterpart.tasks WHERE keyspace_name = '%s' AND table_name = '%s'"
            .formatted(KEYSPACE, table));
  }

  /** How many sstables have which level, as Cassandra's own tool says. */
  private static Map<String, Long> levels(Node node, List<Path> files) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-Dcassandra.storagedir=" + System.getProperty("java.io.tmpdir"));
    Path home = node.logFile().getParent().getParent();
    command.add("-Dcassandra.config=" + home.resolve("conf/cassandra.yaml").toUri());
    command.add(
        "-Dcassandra-rackdc.properties="
            + home.resolve("conf/cassandra-rackdc.properties").toUri());
    new String(NodeFiles.resource("jvm17.options"), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("--"))
        .forEach(command::add);
    command.add("-cp");
    command.add(Installation.locate().serverLib() + "/*");
    command.add("org.apache.cassandra.tools.SSTableMetadataViewer");
    files.forEach(file -> command.add(file.toString()));
    Process viewer = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(viewer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, Long> levels = new TreeMap<>();
    output
        .lines()
        .filter(line -> line.startsWith("SSTable Level:"))
        .forEach(line -> levels.merge(line.substring(14).trim(), 1L, Long::sum));
    assertThat(levels.values().stream().mapToLong(Long::longValue).sum())
        .as(output)
        .isEqualTo(files.size());
    return levels;
  }

  /** Twelve groups and runs of 32 KiB: divided from 384 KiB on a node. */
  @Test
  void a_small_table_is_undivided_until_it_has_grown(TestCluster cluster) {
    AcknowledgedWrites rows =
        create(cluster, "small", Map.of("min_run_size", "32KiB", "max_segments", "64"), 800);
    for (int flush = 0; flush < 6; flush++) {
      rows.write(flush * 50, (flush + 1) * 50);
      cluster.flush(KEYSPACE);
    }
    cluster.settle(
        KEYSPACE, "small", state -> state.mixedBytes() > 0 && state.segments() + state.runs() == 0);
    for (Node node : cluster.live()) {
      // files that were merged are deleted a moment later
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(DataFiles.of(node, KEYSPACE, "small")).hasSizeLessThan(4);
                assertThat(tasks(cluster, node, "small"))
                    .anySatisfy(
                        task -> assertTask(task, "LOG_MERGE", "four files of about the same size"))
                    .noneSatisfy(task -> assertThat(task.getString("kind")).isEqualTo("SPLIT"));
              });
    }

    rows.write(0, ROWS);
    cluster.flush(KEYSPACE);
    cluster.settle(KEYSPACE, "small", state -> state.mixedBytes() == 0 && state.runs() > 0);
    rows.checkEverywhere();
    assertThat(cluster.counter(KEYSPACE, "small", "FlushedPrimaryBytes")).isPositive();

    rows.write(0, 100);
    cluster.flush(KEYSPACE);
    for (Node node : cluster.live()) {
      assertThat(cluster.state(node, KEYSPACE, "small").mixedBytes()).as("divided now").isZero();
    }
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  @Test
  void expired_sstables_are_dropped_whole_without_being_asked(TestCluster cluster) {
    create(cluster, "expiring", Map.of("split_idle", "86400"), 1);
    cluster.execute("ALTER TABLE rewrites.expiring WITH gc_grace_seconds = 1");
    cluster.executeAll(
        IntStream.range(0, 200)
            .mapToObj(
                row ->
                    "INSERT INTO rewrites.expiring (id, value) VALUES (%d, 'expires') USING TTL 1"
                        .formatted(row))
            .toList());
    cluster.flush(KEYSPACE);

    await()
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              cluster.wakeCompaction(KEYSPACE);
              for (Node node : cluster.live()) {
                assertThat(DataFiles.of(node, KEYSPACE, "expiring")).isEmpty();
              }
            });
    for (Node node : cluster.live()) {
      assertThat(tasks(cluster, node, "expiring").stream().map(task -> task.getString("kind")))
          .isNotEmpty()
          .containsOnly("EXPIRE");
    }
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }
}

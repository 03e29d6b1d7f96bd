package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A table whose redundant copies have a format of their own, through a table's life. */
final class RoleFormats {
  private static final String TABLE = "t";
  private static final String PRIMARY = "LZ4Compressor 4096";
  private static final String REDUNDANT = "ZstdCompressor 65536";
  private static final Map<String, String> OPTIONS =
      Map.of("runs", "4", "min_run_size", "0B", "split", "background");

  /** For files of sstables that are no more. */
  private static final Duration DELETIONS = Duration.ofSeconds(60);

  private final TestCluster cluster;
  private final String keyspace;
  private final String format;
  private final AcknowledgedWrites rows;

  /**
   * @param format of the sstables, by Cassandra's name
   */
  RoleFormats(TestCluster cluster, String keyspace, String format, Seed seed) {
    this.cluster = cluster;
    this.keyspace = keyspace;
    this.format = format;
    cluster.createKeyspace(keyspace, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    this.rows =
        new AcknowledgedWrites(
            cluster, keyspace + "." + TABLE, OwnFormat.table(OPTIONS), 2000, 1000, seed);
  }

  void check() throws Exception {
    rows.writeAllAndFlush(3);
    cluster.settle(keyspace, TABLE);
    cluster.compact(keyspace);
    assertByRole(PRIMARY, REDUNDANT);

    alter("redundant_chunk_length", "16KiB");
    for (Node node : cluster.live()) {
      TableState before = state(node);
      assertThat(before.otherFormatSstables()).isEqualTo(before.runs()).isPositive();
      upgrade(node);
      TableState after = state(node);
      assertThat(after.runs()).isEqualTo(before.runs());
      assertThat(after.primarySstables()).isEqualTo(before.primarySstables());
    }
    assertByRole(PRIMARY, "ZstdCompressor 16384");

    restoreASnapshot();
    assertByRole(PRIMARY, "ZstdCompressor 16384");
    toolsLeaveThemReadable();
    repairHalfAnArc();
    switchCompressionOff();
    cluster.execute("DROP KEYSPACE " + keyspace);
  }

  private void restoreASnapshot() {
    for (Node node : cluster.live()) {
      Snapshots.take(node, "by_role", keyspace);
    }
    cluster.execute("TRUNCATE %s.%s".formatted(keyspace, TABLE));
    for (Node node : cluster.live()) {
      await()
          .atMost(DELETIONS)
          .untilAsserted(() -> assertThat(DataFiles.of(node, keyspace, TABLE)).isEmpty());
      Path snapshot = DataFiles.directory(node, keyspace, TABLE).resolve("snapshots/by_role");
      node.nodetool("import", "--copy-data", keyspace, TABLE, snapshot.toString());
      Snapshots.clear(node, keyspace);
    }
  }

  /** Anticompaction cuts runs by a writer of Cassandra's own. */
  private void repairHalfAnArc() {
    List<Long> tokens = tokens();
    int widest =
        IntStream.range(1, tokens.size())
            .boxed()
            .max(Comparator.comparingLong(i -> tokens.get(i) - tokens.get(i - 1)))
            .orElseThrow();
    long start = tokens.get(widest - 1);
    long middle = start + (tokens.get(widest) - start) / 2;
    cluster
        .node(1)
        .nodetool("repair", "--start-token=" + start, "--end-token=" + middle, keyspace, TABLE);

    assertThat(cluster.live().stream().mapToInt(node -> state(node).otherFormatSstables()).sum())
        .as("anticompacted runs")
        .isPositive();
    rows.checkEverywhere();
    rewriteEverywhere();
  }

  /** Of all nodes, ascending. */
  private List<Long> tokens() {
    return cluster.live().stream()
        .map(
            node ->
                cluster.query(node, DefaultConsistencyLevel.ONE, "SELECT tokens FROM system.local"))
        .flatMap(found -> found.get(0).getSet("tokens", String.class).stream())
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  private void switchCompressionOff() {
    cluster.execute(
        "ALTER TABLE %s.%s WITH compression = {'enabled': false}".formatted(keyspace, TABLE));
    rows.writeAllAndFlush(1);
    cluster.settle(keyspace, TABLE);
    cluster.compact(keyspace);
    for (Node node : cluster.live()) {
      assertThat(state(node).otherFormatSstables()).isZero();
      assertThat(node.logFile())
          .content()
          .contains(keyspace + "." + TABLE + ": redundant_compression and");
    }
    rows.checkEverywhere();
  }

  /** Stock tools write the table's own format; the next merge writes that of the role. */
  private void toolsLeaveThemReadable() {
    Node node = cluster.node(1);
    node.nodetool("verify", "-e", "-f", keyspace, TABLE);
    node.nodetool("recompress_sstables", keyspace, TABLE);
    assertThat(state(node).otherFormatSstables()).isZero();
    node.nodetool("scrub", keyspace, TABLE);
    TableState scrubbed = state(node);
    assertThat(scrubbed.otherFormatSstables()).isEqualTo(scrubbed.runs()).isPositive();
    rows.checkEverywhere();
    rewriteEverywhere();
  }

  private void rewriteEverywhere() {
    cluster.settle(keyspace, TABLE);
    cluster.compact(keyspace);
    cluster.settle(keyspace, TABLE);
    for (Node each : cluster.live()) {
      upgrade(each);
      assertThat(state(each).otherFormatSstables()).as("on %s", each).isZero();
    }
    rows.checkEverywhere();
  }

  /** What {@code nodetool upgradesstables -a} asks for; {@link RewriteIT} has the command. */
  private void upgrade(Node node) {
    String texts = String[].class.getName();
    try (NodeJmx jmx = node.jmx()) {
      assertThat(
              jmx.invoke(
                  NodeJmx.STORAGE_SERVICE,
                  "upgradeSSTables",
                  new Object[] {keyspace, false, Long.MAX_VALUE, 2, new String[] {TABLE}},
                  new String[] {String.class.getName(), "boolean", "long", "int", texts}))
          .isEqualTo(0);
    }
  }

  private void alter(String option, String value) {
    Map<String, String> options = new TreeMap<>(OPTIONS);
    options.put(option, value);
    cluster.execute(
        "ALTER TABLE %s.%s WITH compaction = %s"
            .formatted(keyspace, TABLE, TestCluster.decoupled(OwnFormat.with(options))));
  }

  private TableState state(Node node) {
    return cluster.state(node, keyspace, TABLE);
  }

  /** Each node's files, as their own compression information says. */
  private void assertByRole(String primary, String redundant) {
    for (Node node : cluster.live()) {
      assertThat(state(node).otherFormatSstables()).as("on %s", node).isZero();
      // sstables that were rewritten are deleted a moment later, maybe while they are read
      await()
          .atMost(DELETIONS)
          .pollDelay(Duration.ZERO)
          .ignoreExceptions()
          .untilAsserted(() -> assertByRole(node, primary, redundant));
    }
    rows.checkEverywhere();
  }

  private void assertByRole(Node node, String primary, String redundant) throws IOException {
    TableState state = state(node);
    assertThat(state.runs()).as(state.toString()).isPositive();
    assertThat(formats(node))
        .as("on %s", node)
        .isEqualTo(Map.of(primary, state.primarySstables(), redundant, state.runs()));
  }

  private Map<String, Integer> formats(Node node) throws IOException {
    Map<String, Integer> formats = new TreeMap<>();
    for (Path data : DataFiles.of(node, keyspace, TABLE)) {
      String name = data.getFileName().toString();
      assertThat(name).contains("-" + format + "-");
      Path info = data.resolveSibling(name.replace("-Data.db", "-CompressionInfo.db"));
      formats.merge(compression(info), 1, Integer::sum);
    }
    return formats;
  }

  /** Compressor and bytes of a chunk: the first fields of Cassandra's file. */
  private static String compression(Path info) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(info)))) {
      String compressor = in.readUTF();
      for (int options = in.readInt(); options > 0; options--) {
        in.readUTF();
        in.readUTF();
      }
      return compressor + " " + in.readInt();
    }
  }
}

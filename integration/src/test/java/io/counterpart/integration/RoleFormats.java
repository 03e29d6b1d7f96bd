package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A table whose redundant copies have a format of their own, through a table's life. */
final class RoleFormats {
  private static final String TABLE = "t";
  private static final String PRIMARY = "LZ4Compressor 4096";
  private static final String REDUNDANT = "ZstdCompressor 65536";
  private static final Map<String, String> OPTIONS =
      Map.of(
          "runs", "4",
          "min_run_size", "0B",
          "split", "background",
          "redundant_compression", "ZstdCompressor:3",
          "redundant_chunk_length", "64KiB",
          "redundant_bloom_filter_fp_chance", "0.1");

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
            cluster,
            keyspace + "." + TABLE,
            "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4} AND compaction = "
                + TestCluster.decoupled(OPTIONS),
            2000,
            1000,
            seed);
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
      node.nodetool("upgradesstables", "-a", keyspace, TABLE);
      TableState after = state(node);
      assertThat(after.runs()).isEqualTo(before.runs());
      assertThat(after.primarySstables()).isEqualTo(before.primarySstables());
    }
    assertByRole(PRIMARY, "ZstdCompressor 16384");

    toolsLeaveThemReadable();

    cluster.execute(
        "ALTER TABLE %s.%s WITH compression = {'enabled': false}".formatted(keyspace, TABLE));
    rows.writeAllAndFlush(1);
    cluster.settle(keyspace, TABLE);
    cluster.compact(keyspace);
    for (Node node : cluster.live()) {
      assertThat(state(node).otherFormatSstables()).isZero();
    }
    rows.checkEverywhere();
    cluster.execute("DROP KEYSPACE " + keyspace);
  }

  /** Stock tools write the table's own format; the next merge writes that of the role. */
  private void toolsLeaveThemReadable() {
    Node node = cluster.node(1);
    node.nodetool("verify", "-e", "-f", keyspace, TABLE);
    node.nodetool("scrub", keyspace, TABLE);
    TableState scrubbed = state(node);
    assertThat(scrubbed.otherFormatSstables()).isEqualTo(scrubbed.runs()).isPositive();
    rows.checkEverywhere();
    node.nodetool("repair", keyspace, TABLE);
    rows.checkEverywhere();
    cluster.settle(keyspace, TABLE);
    cluster.compact(keyspace);
    cluster.settle(keyspace, TABLE);
    for (Node each : cluster.live()) {
      each.nodetool("upgradesstables", "-a", keyspace, TABLE);
      assertThat(state(each).otherFormatSstables()).as("on %s", each).isZero();
    }
    rows.checkEverywhere();
  }

  private void alter(String option, String value) {
    Map<String, String> options = new TreeMap<>(OPTIONS);
    options.put(option, value);
    cluster.execute(
        "ALTER TABLE %s.%s WITH compaction = %s"
            .formatted(keyspace, TABLE, TestCluster.decoupled(options)));
  }

  private TableState state(Node node) {
    return cluster.state(node, keyspace, TABLE);
  }

  /** Each node's files, as their own compression information says. */
  private void assertByRole(String primary, String redundant) {
    for (Node node : cluster.live()) {
      TableState state = state(node);
      assertThat(state.otherFormatSstables()).as(state.toString()).isZero();
      assertThat(state.runs()).as(state.toString()).isPositive();
      Map<String, Integer> wanted =
          Map.of(primary, state.primarySstables(), redundant, state.runs());
      // sstables that were rewritten are deleted a moment later
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(formats(node)).as("on %s", node).isEqualTo(wanted));
    }
    rows.checkEverywhere();
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

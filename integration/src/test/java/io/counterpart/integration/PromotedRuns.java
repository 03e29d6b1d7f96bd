package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A table whose runs, in a format of their own, become primary sstables because a node leaves: they
 * stay readable, are counted, and get the table's format when they are rewritten.
 */
final class PromotedRuns {
  private static final String KEYSPACE = "promoted";
  private static final String TABLE = "t";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final TestCluster cluster;
  private final AcknowledgedWrites rows;
  private final Map<Node, List<Path>> files;

  /** Writes the table; it is not compacted until {@link #check}. */
  PromotedRuns(TestCluster cluster, Seed seed) {
    this.cluster = cluster;
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    this.rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            OwnFormat.table(Map.of("split", "background")),
            1000,
            500,
            seed);
    rows.writeAllAndFlush(2);
    cluster.settle(KEYSPACE, TABLE);
    cluster.compact(KEYSPACE);
    cluster.stopCompaction(KEYSPACE, TABLE);
    assertThat(inOtherFormat()).isZero();
    cluster.live().forEach(this::awaitDeletions);
    this.files =
        cluster.live().stream()
            .collect(Collectors.toMap(node -> node, node -> DataFiles.of(node, KEYSPACE, TABLE)));
  }

  /** Sstables that were compacted are deleted a moment later. */
  private void awaitDeletions(Node node) {
    TableState state = cluster.state(node, KEYSPACE, TABLE);
    await("files of " + node)
        .atMost(LIMIT)
        .until(
            () -> DataFiles.of(node, KEYSPACE, TABLE).size(),
            count -> count == state.primarySstables() + state.runs());
  }

  /** After the node has left. */
  void check() {
    for (Node node : cluster.live()) {
      assertThat(DataFiles.of(node, KEYSPACE, TABLE)).containsAll(files.get(node));
    }
    // roles follow in the background
    await("sstables whose role changed").atMost(LIMIT).until(() -> inOtherFormat() > 0);
    rows.checkEverywhere();

    cluster.startCompaction(KEYSPACE, TABLE);
    await("the table's format")
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              cluster.compact(KEYSPACE);
              assertThat(inOtherFormat()).isZero();
            });
    rows.checkEverywhere();
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private int inOtherFormat() {
    return cluster.live().stream()
        .mapToInt(node -> cluster.state(node, KEYSPACE, TABLE).otherFormatSstables())
        .sum();
  }
}

package io.counterpart.integration;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static io.counterpart.integration.ModelledRows.PARTITIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import java.time.Duration;
import java.util.List;

/**
 * Tables on an engine while the ring changes: one whole, one with direct writes, one with its
 * primary copies alone, and one in memory of which rows are deleted. Two copies of each row.
 */
final class EnginesInRing {
  private static final String KEYSPACE = "topology_engines";
  private static final String WHOLE = "whole";
  private static final String DIRECT = "direct";
  private static final String BY_RANK = "by_rank";
  private static final String DELETED = "deleted";
  private static final int ROWS = 500;
  private static final Duration LIMIT = Duration.ofSeconds(180);

  private final TestCluster cluster;
  private final List<AcknowledgedWrites> tables;
  private final ModelledRows deleted;

  EnginesInRing(TestCluster cluster, Seed seed) {
    this.cluster = cluster;
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    this.tables =
        List.of(
            table(WHOLE, "memtable = 'lmdb_absorbing'", seed),
            table(DIRECT, "memtable = 'direct_absorbing'", seed),
            table(BY_RANK, TestCluster.byRank("lmdb_absorbing"), seed));
    tables.forEach(table -> table.writeAllAndFlush(1));
    this.deleted =
        new ModelledRows(cluster, KEYSPACE, DELETED, "memtable = 'memory_absorbing'", seed);
    deleted.write(cluster.node(1), ALL, 0, PARTITIONS);
    cluster.flush(KEYSPACE);
    awaitSettled();
  }

  private AcknowledgedWrites table(String name, String with, Seed seed) {
    return new AcknowledgedWrites(cluster, KEYSPACE + "." + name, with, ROWS, 80, seed);
  }

  /** A node had lost everything. */
  void rebuilt(Node wiped) {
    wiped.nodetool("rebuild", "-ks", KEYSPACE);
    awaitSettled();
    check();
  }

  /** Rows are written and deleted while nodes change, also before they can be asked. */
  void writeWhile(List<Node> coordinators, Runnable change) throws InterruptedException {
    tables.forEach(table -> table.start(coordinators));
    try {
      change.run();
    } finally {
      for (AcknowledgedWrites table : tables) {
        table.stop();
      }
    }
  }

  /** A node has joined: others have copies to give away, and what is deleted now stays so. */
  void grown() {
    check();
    deleted.delete(cluster.node(1), ALL, 0, PARTITIONS / 2);
    awaitGivenAway();
    cluster.cleanup(KEYSPACE);
    awaitSettled();
    check();
  }

  /** A node has left. */
  void shrunk() {
    check();
    tables.forEach(table -> table.writeAllAndFlush(1));
    deleted.delete(cluster.node(1), ALL, PARTITIONS / 3, PARTITIONS);
    awaitSettled();
    check();
  }

  /** A dead node was replaced. */
  void replaced() {
    check();
    awaitSettled();
    check();
  }

  private void check() {
    tables.forEach(AcknowledgedWrites::checkEverywhere);
    deleted.check(cluster.node(1), ALL);
    deleted.check(cluster.node(1), DefaultConsistencyLevel.ONE);
  }

  /** Until what nodes have lost is in sstables: a cleanup before that leaves it in the stores. */
  private void awaitGivenAway() {
    RingMembers.awaitSettled(cluster);
    await()
        .atMost(LIMIT)
        .until(
            () ->
                cluster.live().stream()
                    .flatMap(node -> states(node).stream())
                    .noneMatch(row -> row.getString("state").contains("lost ranges")));
  }

  private List<Row> states(Node node) {
    return cluster.query(
        node,
        DefaultConsistencyLevel.ONE,
        "SELECT state FROM counterpart.engines WHERE keyspace_name = '" + KEYSPACE + "'");
  }

  /** Each store has exactly the copies that belong there. */
  private void awaitSettled() {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(stored(WHOLE)).isEqualTo(2L * ROWS);
              assertThat(stored(DIRECT)).isEqualTo(2L * ROWS);
              assertThat(stored(BY_RANK)).isEqualTo(ROWS);
            });
  }

  /** Partitions in stores, on all nodes. */
  private long stored(String table) {
    long all = 0;
    for (Node node : cluster.live()) {
      for (Row row :
          cluster.query(
              node,
              DefaultConsistencyLevel.ONE,
              ("SELECT partitions FROM counterpart.engines"
                      + " WHERE keyspace_name = '%s' AND table_name = '%s'")
                  .formatted(KEYSPACE, table))) {
        all += row.getLong("partitions");
      }
    }
    return all;
  }
}

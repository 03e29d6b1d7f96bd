package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One token a node: roles of copies follow a node that moves to another place of the ring. */
@OnCluster(Shape.ONE_TOKEN)
class OneTokenIT {
  private static final String KEYSPACE = "one_token";
  private static final String TABLE = "t";

  private final Seed seed = Seed.of(OneTokenIT.class);

  @Test
  void keeps_every_value_when_a_node_moves(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'SimpleStrategy', 'replication_factor': 2}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            "compaction = " + TestCluster.decoupled(Map.of("runs", "3")),
            3000,
            300,
            seed);
    rows.writeAllAndFlush(3);
    settle(cluster);
    Node moved = cluster.node(2);
    TableState before = cluster.state(moved, KEYSPACE, TABLE);
    assertThat(before.primaryBytes()).as(before.toString()).isPositive();
    assertThat(before.runBytes()).as(before.toString()).isPositive();
    rows.checkEverywhere();

    // a tenth of the ring before the end of node 3's arc: node 2 leaves its own neighbours
    moved.nodetool("move", "--", Long.toString(token(cluster, 3) - Long.MAX_VALUE / 5));

    settle(cluster);
    rows.checkEverywhere();
    cluster.cleanup(KEYSPACE);
    settle(cluster);
    TableState after = cluster.state(moved, KEYSPACE, TABLE);
    assertThat(after.foreignBytes()).as(after.toString()).isZero();
    assertThat(after.primaryBytes()).as(after.toString()).isPositive();
    rows.checkEverywhere();

    rows.writeAllAndFlush(1);
    settle(cluster);
    rows.checkEverywhere();
  }

  private static void settle(TestCluster cluster) {
    cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0);
  }

  private static long token(TestCluster cluster, int node) {
    return cluster
        .query(cluster.node(node), DefaultConsistencyLevel.ONE, "SELECT tokens FROM system.local")
        .get(0)
        .getSet("tokens", String.class)
        .stream()
        .mapToLong(Long::parseLong)
        .findAny()
        .orElseThrow();
  }
}

package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Location;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Roles follow the ring: a node is wiped, one joins, leaves, dies, and replication grows. */
@OnCluster(Shape.CHANGING_RING)
class TopologyIT {
  private static final String KEYSPACE = "topology";
  private static final String TABLE = "t";
  private static final int ROWS = 4000;

  private final Seed seed = Seed.of(TopologyIT.class);

  @Test
  void keeps_every_value_and_gives_every_copy_its_role(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + "." + TABLE,
            "compaction = " + TestCluster.decoupled(Map.of("runs", "3")),
            ROWS,
            300,
            seed);
    for (int round = 0; round < 2; round++) {
      rows.writeAll();
      cluster.flush(KEYSPACE);
    }
    settle(cluster);
    rows.checkEverywhere();

    wipeAndRebuild(cluster, rows);
    growByOneNode(cluster, rows);
    shrinkByOneNode(cluster, rows);
    replaceADeadNode(cluster, rows);
    growReplication(cluster, rows);
    shrinkReplication(cluster, rows);
  }

  private static void wipeAndRebuild(TestCluster cluster, AcknowledgedWrites rows) {
    Node wiped = cluster.node(2);
    wiped.kill();
    wiped.wipe();
    wiped.start(StartListener.SILENT);
    assertThat(bytes(cluster.state(wiped, KEYSPACE, TABLE))).isZero();

    wiped.nodetool("rebuild", "-ks", KEYSPACE);

    settle(cluster);
    TableState state = cluster.state(wiped, KEYSPACE, TABLE);
    assertThat(state.primaryBytes()).as(state.toString()).isPositive();
    assertThat(state.runBytes()).as(state.toString()).isPositive();
    rows.checkEverywhere();
  }

  private static void growByOneNode(TestCluster cluster, AcknowledgedWrites rows) {
    Node joined = cluster.cluster().addNode(Location.DEFAULT, StartListener.SILENT);
    rows.checkEverywhere();
    settle(cluster);
    TableState state = cluster.state(joined, KEYSPACE, TABLE);
    assertThat(state.primaryBytes()).as(state.toString()).isPositive();
    assertThat(state.runBytes()).as(state.toString()).isPositive();
    assertThat(foreignBytes(cluster)).isPositive();

    for (Node node : cluster.live()) {
      node.nodetool("cleanup", KEYSPACE);
    }

    assertThat(foreignBytes(cluster)).isZero();
    settle(cluster);
    rows.checkEverywhere();
  }

  private static void shrinkByOneNode(TestCluster cluster, AcknowledgedWrites rows) {
    Node leaving = cluster.node(4);
    leaving.nodetool("decommission");
    leaving.kill();

    settle(cluster);
    rows.checkEverywhere();
    rows.writeAll();
    cluster.flush(KEYSPACE);
    settle(cluster);
    rows.checkEverywhere();
  }

  private static void replaceADeadNode(TestCluster cluster, AcknowledgedWrites rows) {
    cluster.node(3).kill();

    Node replacement = cluster.cluster().replaceNode(3, StartListener.SILENT);

    settle(cluster);
    TableState state = cluster.state(replacement, KEYSPACE, TABLE);
    assertThat(state.primaryBytes()).as(state.toString()).isPositive();
    assertThat(state.runBytes()).as(state.toString()).isPositive();
    rows.checkEverywhere();
  }

  private static void growReplication(TestCluster cluster, AcknowledgedWrites rows) {
    cluster.execute(
        "ALTER KEYSPACE topology WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 3}");

    cluster.node(1).nodetool("repair", "-full", KEYSPACE);

    settle(cluster);
    rows.checkEverywhere();
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, TABLE);
      assertThat(state.runBytes()).as(state.toString()).isGreaterThan(state.primaryBytes());
      rows.check(node, DefaultConsistencyLevel.ONE);
    }
  }

  private static void shrinkReplication(TestCluster cluster, AcknowledgedWrites rows) {
    cluster.execute(
        "ALTER KEYSPACE topology WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    settle(cluster);
    assertThat(foreignBytes(cluster)).isPositive();
    rows.checkEverywhere();

    for (Node node : cluster.live()) {
      node.nodetool("cleanup", KEYSPACE);
    }

    assertThat(foreignBytes(cluster)).isZero();
    settle(cluster);
    rows.checkEverywhere();
  }

  private static void settle(TestCluster cluster) {
    cluster.settle(KEYSPACE, TABLE, state -> state.mixedBytes() == 0);
  }

  private static long foreignBytes(TestCluster cluster) {
    return cluster.live().stream()
        .mapToLong(node -> cluster.state(node, KEYSPACE, TABLE).foreignBytes())
        .sum();
  }

  private static long bytes(TableState state) {
    return state.primaryBytes()
        + state.widePrimaryBytes()
        + state.segmentBytes()
        + state.runBytes()
        + state.mixedBytes();
  }
}

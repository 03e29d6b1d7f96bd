package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two datacenters, one token a node: the primary is a matter of each DC, and so is a mix. */
@OnCluster(Shape.TWO_DATACENTERS)
class DatacentersIT {
  private static final String KEYSPACE = "datacenters";

  private final Seed seed = Seed.of(DatacentersIT.class);

  @ParameterizedTest
  @CsvSource({"2, 2", "2, 1"})
  void every_copy_has_one_primary_in_each_datacenter(int first, int second, TestCluster cluster) {
    AcknowledgedWrites rows =
        fill(
            cluster,
            "{'class': 'NetworkTopologyStrategy', 'dc1': %d, 'dc2': %d}".formatted(first, second));

    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, "t");
      assertThat(state.primaryBytes()).as(state.toString()).isPositive();
      assertThat(state.mixedBytes() + state.foreignBytes()).as(state.toString()).isZero();
    }
    // each rack has a copy: of two nodes in a rack, the second is never next for the other rack
    assertThat(nodesWithRuns(cluster, "dc1")).isEqualTo(2);
    assertThat(nodesWithRuns(cluster, "dc2")).isEqualTo(second == 1 ? 0 : 3);
    // until then each structure holds as many old versions as it has sstables
    cluster.compact(KEYSPACE);
    assertThat(primaryShare(cluster, "dc1")).isBetween(0.8 / first, 1.2 / first);
    assertThat(primaryShare(cluster, "dc2")).isBetween(0.8 / second, 1.2 / second);
    rows.checkEverywhere();
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  @Test
  void the_simple_strategy_knows_no_datacenters(TestCluster cluster) {
    AcknowledgedWrites rows = fill(cluster, "{'class': 'SimpleStrategy', 'replication_factor': 3}");

    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, "t");
      assertThat(state.mixedBytes() + state.foreignBytes()).as(state.toString()).isZero();
      assertThat(state.primaryBytes() + state.runBytes()).as(state.toString()).isPositive();
    }
    rows.checkEverywhere();
    rows.check(cluster.node(5), DefaultConsistencyLevel.QUORUM);
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  @Test
  void a_mix_changes_in_both_datacenters_or_in_one(TestCluster cluster) throws Exception {
    new MixOfDatacenters(cluster, seed).check();
  }

  private AcknowledgedWrites fill(TestCluster cluster, String replication) {
    cluster.createKeyspace(KEYSPACE, replication);
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            "datacenters.t",
            "compaction = " + TestCluster.decoupled(Map.of("runs", "2")),
            1200,
            300,
            seed);
    rows.writeAllAndFlush(3);
    cluster.settle(
        KEYSPACE, "t", state -> state.segmentBytes() == 0 && state.widePrimaryBytes() == 0);
    return rows;
  }

  private static long nodesWithRuns(TestCluster cluster, String dc) {
    return cluster.live().stream()
        .filter(node -> node.location().dc().equals(dc))
        .filter(node -> cluster.state(node, KEYSPACE, "t").runBytes() > 0)
        .count();
  }

  private static double primaryShare(TestCluster cluster, String dc) {
    double primary = 0;
    double all = 0;
    for (Node node : cluster.live()) {
      if (node.location().dc().equals(dc)) {
        TableState state = cluster.state(node, KEYSPACE, "t");
        primary += state.primaryBytes();
        all += state.primaryBytes() + state.runBytes();
      }
    }
    return primary / all;
  }
}

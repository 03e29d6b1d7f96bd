package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Node;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** 256 tokens a node: more arcs than there may be range groups, so groups are scattered. */
@OnCluster(Shape.MANY_TOKENS)
class ManyTokensIT {
  private static final String KEYSPACE = "tokens";

  private final Seed seed = Seed.of(ManyTokensIT.class);

  @Test
  void groups_by_replica_list_above_the_limit(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            "tokens.t",
            "compaction = " + TestCluster.decoupled(Map.of("runs", "2")),
            3000,
            300,
            seed);

    rows.writeAllAndFlush(6);
    cluster.settle(KEYSPACE, "t");

    assertThat(cluster.counter(KEYSPACE, "t", "SplitBytes")).isPositive();
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, "t");
      assertThat(state.scatteredGroups()).as(state.toString()).isTrue();
      assertThat(state.rangeGroups()).as(state.toString()).isBetween(3, 6);
      assertThat(state.runs()).as(state.toString()).isBetween(1, 3 * state.rangeGroups());
      assertThat(state.mixedBytes() + state.foreignBytes()).as(state.toString()).isZero();
    }
    rows.checkEverywhere();
    cluster.compact(KEYSPACE);
    for (Node node : cluster.live()) {
      TableState state = cluster.state(node, KEYSPACE, "t");
      assertThat(state.runs() + state.primarySstables())
          .as(state.toString())
          .isEqualTo(state.rangeGroups());
    }
    rows.checkEverywhere();
  }
}

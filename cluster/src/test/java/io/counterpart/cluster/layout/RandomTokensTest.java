package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.RingBalance;
import io.counterpart.core.placement.RingBalance.Share;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RandomTokensTest {
  private static final int NODES = 5;
  private static final int TOKENS = 16;
  private static final int REPLICAS = 3;
  private static final int DRAWS = 400;

  @Test
  void are_the_same_for_every_cluster_of_the_same_shape() {
    List<List<Long>> tokens = tokens(NODES);

    assertThat(tokens(NODES)).isEqualTo(tokens);
    assertThat(tokens(NODES - 1)).isEqualTo(tokens.subList(0, NODES - 1));
    assertThat(tokens.stream().flatMap(List::stream))
        .hasSize(NODES * TOKENS)
        .doesNotHaveDuplicates();
  }

  /** An experiment on an unusually uneven ring would flatter what it is compared with. */
  @Test
  void five_nodes_get_a_ring_that_is_neither_unusually_even_nor_unusually_uneven() {
    RingBalance used = balance(tokens(NODES));
    List<RingBalance> drawn =
        LongStream.range(0, DRAWS)
            .mapToObj(seed -> balance(RandomTokens.of(NODES, TOKENS, seed)))
            .toList();

    for (ToDoubleFunction<RingBalance> most :
        List.<ToDoubleFunction<RingBalance>>of(
            ring -> most(ring, Share::primary), ring -> most(ring, Share::copies))) {
      double[] sorted = drawn.stream().mapToDouble(most).sorted().toArray();
      assertThat(most.applyAsDouble(used)).isBetween(sorted[DRAWS * 2 / 5], sorted[DRAWS * 3 / 5]);
    }
    double mean = (double) REPLICAS / NODES;
    assertThat(Objects.requireNonNull(used.shares().get("n0")).copies() / mean)
        .as("of the first node, whose disk experiments slow")
        .isBetween(0.95, 1.0);
    assertThat(used.replicaSets()).as("of the 10 that there can be").isEqualTo(10);
  }

  private static double most(RingBalance ring, ToDoubleFunction<Share> share) {
    return ring.shares().values().stream().mapToDouble(share).max().orElseThrow();
  }

  private static RingBalance balance(List<List<Long>> tokens) {
    List<RingNode> nodes = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      nodes.add(new RingNode("n" + i, "dc1", "rack1", tokens.get(i)));
    }
    return RingBalance.of(
        TokenRing.of(nodes), new Replication.NetworkTopology(Map.of("dc1", REPLICAS)), "dc1");
  }

  private static List<List<Long>> tokens(int nodes) {
    ClusterSpec spec =
        ClusterSpec.builder(Path.of("/home"))
            .nodes(nodes)
            .serverLib(Path.of("/lib"))
            .placement(Placement.RANDOM)
            .build();
    return NodeLayout.of(spec).stream().map(NodeLayout::tokens).toList();
  }
}

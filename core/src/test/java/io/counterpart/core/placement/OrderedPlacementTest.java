package io.counterpart.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.placement.OrderedPlacement.Datacenter;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SeededRandom.class)
class OrderedPlacementTest {
  private static final Datacenter DC1 = new Datacenter("dc1", 1, 1);

  @Test
  void four_nodes_with_a_token_each_quarter_the_ring() {
    assertThat(OrderedPlacement.ring(hosts(4), DC1, 1).tokens())
        .containsExactly(Long.MIN_VALUE + 1, Long.MIN_VALUE / 2 + 1, 1L, Long.MAX_VALUE / 2 + 2);
  }

  @ParameterizedTest(name = "nodes={0} tokens={1} rf={2}")
  @CsvSource({"1, 1, 1", "3, 16, 3", "5, 16, 3", "7, 16, 3", "7, 1, 3", "12, 4, 5", "100, 16, 3"})
  void there_are_as_many_replica_sets_as_nodes_and_each_leads_the_same_share(
      int nodes, int tokens, int copies) {
    RingBalance balance = balance(OrderedPlacement.ring(hosts(nodes), DC1, tokens), copies);

    assertThat(balance.replicaSets()).isEqualTo(nodes == copies ? 1 : nodes);
    assertThat(balance.primaryImbalance()).isBetween(0.999999, 1.000001);
    assertThat(balance.copiesImbalance()).isBetween(0.999999, 1.000001);
    assertThat(balance.shares().values().stream().mapToDouble(RingBalance.Share::primary).sum())
        .as("every arc is led once")
        .isBetween(0.999999, 1.000001);
  }

  @Test
  void random_tokens_have_more_sets_and_uneven_shares(Random random) {
    List<RingNode> nodes = new ArrayList<>();
    for (Host host : hosts(7)) {
      nodes.add(new RingNode(host.address(), "dc1", "r", random.longs(16).boxed().toList()));
    }

    RingBalance balance = balance(TokenRing.of(nodes), 3);

    assertThat(balance.replicaSets()).isGreaterThan(14);
    // one ring in 230 has less than 1.1
    assertThat(balance.primaryImbalance()).isGreaterThan(1.02);
  }

  @Test
  void tokens_do_not_depend_on_the_order_of_the_nodes(Random random) {
    List<Host> shuffled = new ArrayList<>(racks(11, 3));
    Collections.shuffle(shuffled, random);

    assertThat(tokens(OrderedPlacement.ring(shuffled, DC1, 8)))
        .isEqualTo(tokens(OrderedPlacement.ring(racks(11, 3), DC1, 8)));
  }

  @ParameterizedTest(name = "nodes={0} racks={1}")
  @CsvSource({"4, 2", "6, 3", "9, 3", "8, 4", "12, 2"})
  void ring_neighbours_stand_in_different_racks(int count, int racks) {
    TokenRing ring = OrderedPlacement.ring(racks(count, racks), DC1, 4);
    Replication two = new Replication.Simple(2);
    Map<String, String> rackOf = new TreeMap<>();
    ring.nodes().forEach(node -> rackOf.put(node.name(), node.rack()));

    for (int i = 0; i < ring.tokens().size(); i++) {
      List<String> neighbours = two.replicas(ring, i);
      assertThat(rackOf.get(neighbours.get(0))).isNotEqualTo(rackOf.get(neighbours.get(1)));
    }
  }

  @Test
  void datacenters_share_no_token() {
    TokenRing first = OrderedPlacement.ring(hosts(5), new Datacenter("dc1", 1, 3), 16);
    TokenRing second = OrderedPlacement.ring(hosts(5), new Datacenter("dc2", 2, 3), 16);
    TokenRing third = OrderedPlacement.ring(hosts(4), new Datacenter("dc3", 3, 3), 16);

    assertThat(first.tokens()).doesNotContainAnyElementsOf(second.tokens());
    assertThat(second.tokens()).doesNotContainAnyElementsOf(third.tokens());
    assertThat(first.tokens()).doesNotContainAnyElementsOf(third.tokens());
  }

  @Test
  void refuses_what_is_no_ring() {
    refused(List.of(), 1, "nodes is 0, legal: 1 to 1000");
    refused(hosts(3), 0, "tokens is 0, legal: 1 to 256");
    refused(hosts(3), 257, "tokens is 257, legal: 1 to 256");
    refused(
        List.of(new Host("10.0.0.1:7000", "a"), new Host("10.0.0.1:7000", "b")),
        1,
        "two nodes have one address");
    assertThatThrownBy(() -> new Datacenter("dc1", 3, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("datacenter 3 of 2");
  }

  private static void refused(List<Host> hosts, int tokens, String message) {
    assertThatThrownBy(() -> OrderedPlacement.ring(hosts, DC1, tokens))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static RingBalance balance(TokenRing ring, int copies) {
    return RingBalance.of(ring, new Replication.NetworkTopology(Map.of("dc1", copies)), "dc1");
  }

  private static Map<String, List<Long>> tokens(TokenRing ring) {
    Map<String, List<Long>> tokens = new TreeMap<>();
    ring.nodes().forEach(node -> tokens.put(node.name(), node.tokens()));
    return tokens;
  }

  private static List<Host> hosts(int count) {
    return racks(count, 1);
  }

  private static List<Host> racks(int count, int racks) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Host("10.0.0.%d:7000".formatted(i + 1), "rack" + i % racks))
        .toList();
  }
}

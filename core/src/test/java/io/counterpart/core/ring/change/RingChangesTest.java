package io.counterpart.core.ring.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.core.ring.change.RingChanges.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RingChangesTest {
  private static final Place ANYWHERE = new Place(null, null, null);

  @Test
  void new_nodes_own_as_much_as_the_others() {
    TokenRing ring = even(3, 16);

    TokenRing grown = ring;
    for (RingChange step : changes(ring, 2).join(2, ANYWHERE)) {
      grown = step.applyTo(grown);
    }

    RingPlan plan = new RingPlan(grown, List.of(), Set.of());
    TableLoad one = new TableLoad("k", "t", new Replication.Simple(1), 0, Map.of("n1", 1_000_000L));
    plan.costs(one)
        .forEach(
            (node, cost) ->
                assertThat((double) cost.before())
                    .as(node)
                    .isCloseTo(plan.costs(one).get("n1").before(), within(250_000.0)));
    assertThat(grown.nodes()).hasSize(5);
    assertThat(grown.nodes().get(4).tokens()).hasSize(16);
  }

  @Test
  void a_new_node_cuts_the_widest_arcs_and_goes_where_nodes_are_missing() {
    TokenRing ring =
        TokenRing.of(
            List.of(
                new RingNode("a", "dc1", "r1", List.of(0L)),
                new RingNode("b", "dc1", "r1", List.of(1L << 61)),
                new RingNode("c", "dc1", "r2", List.of(1L << 62))));

    RingChange.Join join = (RingChange.Join) changes(ring, 1).join(1, ANYWHERE).get(0);

    // a's arc is 3/4 of the ring; the new one gets a quarter of the ring of it
    assertThat(join.node().rack()).isEqualTo("r2");
    assertThat(join.node().tokens())
        .singleElement()
        .satisfies(token -> assertThat(token - (1L << 62)).isCloseTo(1L << 62, within(4L)));
  }

  @Test
  void bad_wishes_are_refused_with_the_legal_range() {
    TokenRing ring = even(3, 4);
    RingChanges changes = changes(ring, 2);

    refused(() -> changes.join(0, ANYWHERE), "--add is 0, not in 1..64");
    refused(() -> changes.join(65, ANYWHERE), "--add is 65, not in 1..64");
    refused(
        () -> changes.join(1, new Place("dc9", null, null)), "--dc is 'dc9', legal: one of dc1");
    refused(() -> changes.join(1, new Place(null, null, 0)), "--tokens is 0, not in 1..256");
    refused(() -> changes.leave(List.of("n9")), "--remove is 'n9', legal: one of n0, n1, n2");
    refused(() -> changes.leave(List.of("n1", "n1")), "twice");
    refused(
        () -> changes.leave(List.of("n1", "n2")),
        "--remove names 2 of 3 nodes of datacenter dc1, legal: at most 1, since keyspace ks keeps 2");
    refused(() -> changes.copies(4, null), "--rf is 4, not in 1..3 (the nodes of datacenter dc1)");
    refused(() -> changes.copies(0, null), "--rf is 0, not in 1..3");
    RingChanges simple = new RingChanges(ring, Map.of("s", new Replication.Simple(3)));
    refused(() -> simple.leave(List.of("n0")), "legal: at most 0, since keyspace s keeps 3 copies");
    refused(() -> simple.copies(2, "dc1"), "knows no datacenters");
    refused(
        () -> new RingChanges(ring, Map.of()).leave(List.of("n0", "n1", "n2")),
        "--remove names all 3 nodes, legal: at most 2");
  }

  @Test
  void several_datacenters_must_be_told_apart() {
    List<RingNode> nodes = new ArrayList<>(even(2, 4).nodes());
    nodes.add(new RingNode("x", "dc2", "r1", List.of(5L)));
    RingChanges changes = changes(TokenRing.of(nodes), 1);

    refused(() -> changes.join(1, ANYWHERE), "--dc is missing, legal: one of dc1, dc2");
    assertThat(changes.join(1, new Place("dc2", null, null))).hasSize(1);
    refused(() -> changes.copies(1, "dc2"), "keyspace ks has no copies there");
    // no keyspace has copies there, so it may go
    assertThat(changes.leave(List.of("x"))).hasSize(1);
  }

  @Test
  void two_nodes_cannot_have_one_token() {
    refused(
        () ->
            TokenRing.of(
                List.of(
                    new RingNode("a", "d", "r", List.of(1L)),
                    new RingNode("b", "d", "r", List.of(1L)))),
        "token 1 belongs to a and to b");
  }

  private static void refused(ThrowingCallable wish, String reason) {
    assertThatThrownBy(wish)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  private static RingChanges changes(TokenRing ring, int copies) {
    return new RingChanges(
        ring, Map.of("ks", new Replication.NetworkTopology(Map.of("dc1", copies))));
  }

  private static TokenRing even(int nodes, int tokens) {
    List<RingNode> all = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      List<Long> own = new ArrayList<>();
      for (int token = 0; token < tokens; token++) {
        double fraction = (double) (token * nodes + node) / (nodes * tokens);
        own.add(Long.MIN_VALUE + 1 + (long) (fraction * 0x1p63) * 2);
      }
      all.add(new RingNode("n" + node, "dc1", "r1", own));
    }
    return TokenRing.of(all);
  }
}

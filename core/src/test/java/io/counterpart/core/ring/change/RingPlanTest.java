package io.counterpart.core.ring.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bytes of changes on rings that can be computed by hand. */
@ExtendWith(SeededRandom.class)
class RingPlanTest {
  private static final long GB = 1_000_000_000L;
  private static final Offset<Long> ROUNDING = within(10L);

  /** Four nodes with one token each, at the quarters of the ring. */
  private static final TokenRing QUARTERS =
      TokenRing.of(
          List.of(
              node("a", "r1", quarter(0)),
              node("b", "r1", quarter(1)),
              node("c", "r1", quarter(2)),
              node("d", "r1", quarter(3))));

  @Test
  void a_joining_node_receives_its_ranges_from_those_who_lose_them() {
    // half of a's arc: e is primary of 1/8, and second replica of d's 1/4
    RingNode e = node("e", "r1", quarter(3) + (1L << 61));

    Map<String, TableCost> costs = plan(new RingChange.Join(e)).costs(table(2, 256, QUARTERS, 20));

    // 80 GB in two copies: 40 GB a ring
    assertThat(costs.get("e").in()).isCloseTo(15 * GB, ROUNDING);
    assertThat(costs.get("e").after()).isCloseTo(15 * GB, ROUNDING);
    // of (d, e] a is the second one now, so b loses it; of (c, d] e is, so a loses it
    assertThat(costs.get("b").out()).isCloseTo(5 * GB, ROUNDING);
    assertThat(costs.get("a").out()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("a").foreign()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("b").foreign()).isCloseTo(5 * GB, ROUNDING);
    assertThat(costs.get("c")).isEqualTo(new TableCost(20 * GB, 20 * GB, 0, 0, 0, 0, 0, 0));
    // a's primary file spans both halves of its old arc, and so does b's redundant one
    assertThat(costs.get("a").rewritten()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("b").rewritten()).isCloseTo(10 * GB, ROUNDING);
  }

  @Test
  void a_leaving_node_sends_and_the_next_replicas_are_promoted_without_a_rewrite() {
    Map<String, TableCost> costs =
        plan(new RingChange.Leave("b")).costs(table(2, 256, QUARTERS, 20));

    assertThat(costs.get("b")).isEqualTo(new TableCost(20 * GB, 0, 0, 20 * GB, 0, 0, 0, 0));
    // c was second of (a, b], d becomes it; of (d, a] c becomes second in b's place
    assertThat(costs.get("c").promoted()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("c").rewritten()).isZero();
    assertThat(costs.get("c").in()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("d").in()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("a").in()).isZero();
  }

  @Test
  void a_dead_nodes_ranges_come_from_the_replicas_that_answer() {
    RingPlan plan = new RingPlan(QUARTERS, List.of(new RingChange.Leave("b")), Set.of("b"));
    TableLoad load = table(2, 256, QUARTERS.without("b"), 20);

    Map<String, TableCost> costs = plan.costs(load);

    assertThat(costs.get("b").before()).isCloseTo(20 * GB, ROUNDING);
    assertThat(costs.get("b").out()).isZero();
    assertThat(costs.get("a").out()).isCloseTo(10 * GB, ROUNDING);
    assertThat(costs.get("c").out()).isCloseTo(10 * GB, ROUNDING);
    assertThat(plan.withoutSource(load)).isZero();
    assertThat(plan.withoutSource(table(1, 256, QUARTERS, 10))).isEqualTo(0.25);
  }

  @Test
  void more_copies_come_from_the_others_in_equal_parts_and_fewer_are_foreign() {
    RingPlan more = plan(new RingChange.Copies(3, Set.of("dc1")));
    RingPlan fewer = plan(new RingChange.Copies(1, Set.of("dc1")));
    TableLoad load = table(2, 256, QUARTERS, 20);

    assertThat(more.costs(load).values())
        .containsOnly(new TableCost(20 * GB, 30 * GB, 10 * GB, 10 * GB, 0, 0, 0, 0));
    assertThat(fewer.costs(load).values())
        .containsOnly(new TableCost(20 * GB, 10 * GB, 0, 0, 0, 0, 0, 10 * GB));
  }

  @Test
  void a_stock_table_has_no_roles() {
    TableLoad stock = table(2, 0, QUARTERS, 20);

    Map<String, TableCost> costs = plan(new RingChange.Leave("b")).costs(stock);

    assertThat(costs.get("c").promoted()).isZero();
    assertThat(costs.get("c").in()).isCloseTo(10 * GB, ROUNDING);
  }

  @Test
  void what_joins_is_what_goes_again_when_it_leaves() {
    RingNode e = node("e", "r1", quarter(0) + 77);
    RingPlan thereAndBack = plan(new RingChange.Join(e), new RingChange.Leave("e"));

    Map<String, TableCost> costs = thereAndBack.costs(table(3, 256, QUARTERS, 30));

    assertThat(costs.get("e").in()).isPositive().isCloseTo(costs.get("e").out(), ROUNDING);
    QUARTERS.nodes().forEach(node -> assertThat(costs.get(node.name()).foreign()).isZero());
  }

  @Test
  void copies_of_another_datacenter_are_left_alone_where_nothing_moves() {
    List<RingNode> nodes = new ArrayList<>(QUARTERS.nodes());
    nodes.add(new RingNode("x", "dc2", "r1", List.of(5L)));
    nodes.add(new RingNode("y", "dc2", "r1", List.of(7L)));
    TokenRing ring = TokenRing.of(nodes);
    Replication replication = new Replication.NetworkTopology(Map.of("dc1", 2, "dc2", 1));
    TableLoad load = new TableLoad("ks", "t", replication, 256, Map.of("a", GB, "x", GB, "y", GB));
    RingNode z = new RingNode("z", "dc2", "r1", List.of(9L + (1L << 60)));

    Map<String, TableCost> costs =
        new RingPlan(ring, List.of(new RingChange.Join(z)), Set.of()).costs(load);

    assertThat(costs.get("z").in()).isPositive();
    for (String node : List.of("a", "b", "c", "d")) {
      assertThat(costs.get(node).in() + costs.get(node).out()).as(node).isZero();
      assertThat(costs.get(node).rewritten()).as(node).isZero();
    }
  }

  @RepeatedTest(20)
  void each_node_ends_with_the_bytes_of_its_ranges_in_the_last_ring(Random random) {
    TokenRing ring = random(random);
    Replication replication =
        new Replication.NetworkTopology(
            Map.of("dc1", 1 + random.nextInt(3), "dc2", 1 + random.nextInt(2)));
    List<RingChange> changes = new ArrayList<>();
    TokenRing last = ring;
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      RingChange change =
          random.nextBoolean()
              ? new RingChange.Join(random(random, "new-" + i, "dc" + (1 + random.nextInt(2))))
              : new RingChange.Leave(last.nodes().get(random.nextInt(last.nodes().size())).name());
      changes.add(change);
      last = change.applyTo(last);
    }

    Map<String, TableCost> costs =
        new RingPlan(ring, changes, Set.of()).costs(even(ring, replication));

    TokenRing end = last;
    even(end, replication)
        .bytesByNode()
        .forEach(
            (node, bytes) ->
                assertThat(costs.get(node).after()).as(node).isCloseTo(bytes, within(100L)));
    assertThat(costs.values().stream().mapToLong(TableCost::in).sum())
        .isCloseTo(costs.values().stream().mapToLong(TableCost::out).sum(), within(100L));
  }

  /** A table whose bytes lie as its ranges do, counted arc by arc. */
  private static TableLoad even(TokenRing ring, Replication replication) {
    Map<String, Long> bytes = new java.util.TreeMap<>();
    List<SharedArc> arcs = SharedArc.of(List.of(ring));
    for (int i = 0; i < arcs.size(); i++) {
      long width = Math.round(arcs.get(i).ringFraction() * 1000 * GB);
      replication.replicas(ring, i).forEach(node -> bytes.merge(node, width, Long::sum));
    }
    return new TableLoad("ks", "t", replication, 256, bytes);
  }

  private static TokenRing random(Random random) {
    List<RingNode> nodes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      nodes.add(random(random, "n" + i, "dc" + (1 + i % 2)));
    }
    return TokenRing.of(nodes);
  }

  private static RingNode random(Random random, String name, String datacenter) {
    List<Long> tokens = random.longs(1 + random.nextInt(8)).boxed().toList();
    return new RingNode(name, datacenter, "r" + random.nextInt(3), tokens);
  }

  private static RingPlan plan(RingChange... changes) {
    return new RingPlan(QUARTERS, List.of(changes), Set.of());
  }

  private static TableLoad table(int copies, int maxGroups, TokenRing holders, long gigabytes) {
    Map<String, Long> bytes = new java.util.TreeMap<>();
    holders.nodes().forEach(node -> bytes.put(node.name(), gigabytes * GB));
    Replication replication = new Replication.NetworkTopology(Map.of("dc1", copies));
    return new TableLoad("ks", "t", replication, maxGroups, bytes);
  }

  private static RingNode node(String name, String rack, long token) {
    return new RingNode(name, "dc1", rack, List.of(token));
  }

  private static long quarter(int index) {
    return Long.MIN_VALUE + 1 + index * (1L << 62);
  }
}

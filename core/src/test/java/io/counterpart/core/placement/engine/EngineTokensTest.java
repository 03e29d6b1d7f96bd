package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.core.placement.RingBalance;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Planned tokens under the model of NetworkTopologyStrategy, rack = engine class. */
@ExtendWith(SeededRandom.class)
class EngineTokensTest {
  private static final EngineQuotas THREE = EngineQuotas.of(3, 2, 2);
  private static final EngineQuotas FOUR = EngineQuotas.of(4, 3, 2);

  @Test
  void the_papers_cluster_keeps_quotas_on_distinct_servers_for_every_token() {
    TokenRing ring = ring(6, THREE, 16);

    assertThat(ring.nodes()).hasSize(18);
    assertThat(ring.tokens()).hasSize(18 * 16);
    assertExact(ring, THREE);
  }

  @Test
  void any_quotas_hold_for_every_token_where_there_are_more_servers_than_copies(Random random) {
    for (int i = 0; i < 300; i++) {
      EngineQuotas quotas = Cases.quotas(6, random);
      int servers = quotas.copies() + 1 + random.nextInt(8);
      int tokens = 1 + random.nextInt(20);

      TokenRing ring = ring(servers, quotas, tokens);

      assertExact(ring, quotas);
    }
  }

  @Test
  void with_as_many_servers_as_copies_all_but_single_tokens_are_on_distinct_servers(Random random) {
    for (int i = 0; i < 100; i++) {
      EngineQuotas quotas = Cases.quotas(6, random);
      TokenRing ring = ring(quotas.copies(), quotas, 1 + random.nextInt(8));

      double shared = 0;
      for (int arc = 0; arc < ring.tokens().size(); arc++) {
        List<EngineNode> replicas = replicas(ring, quotas, arc);
        Cases.assertQuotas(replicas, quotas);
        shared += servers(replicas) < quotas.copies() ? ring.arc(arc).ringFraction() : 0;
      }
      assertThat(shared).as(quotas.toString()).isLessThan(1e-15);
      assertBalanced(ring, quotas, 1e-9);
    }
  }

  @Test
  void with_fewer_servers_the_copies_are_spread_evenly(Random random) {
    for (int i = 0; i < 100; i++) {
      EngineQuotas quotas = Cases.quotas(6, random);
      int least = Math.max(quotas.write(), Math.max(quotas.read(), quotas.memory()));
      int servers = least + random.nextInt(quotas.copies() - least + 1);
      TokenRing ring = ring(servers, quotas, 1 + random.nextInt(8));

      double uneven = 0;
      for (int arc = 0; arc < ring.tokens().size(); arc++) {
        List<EngineNode> replicas = replicas(ring, quotas, arc);
        Cases.assertQuotas(replicas, quotas);
        long most =
            replicas.stream()
                .collect(Collectors.groupingBy(EngineNode::server, Collectors.counting()))
                .values()
                .stream()
                .max(Long::compare)
                .orElseThrow();
        int fair = (quotas.copies() + servers - 1) / servers;
        uneven += most > fair ? ring.arc(arc).ringFraction() : 0;
      }
      assertThat(uneven).as("%s on %d", quotas, servers).isLessThan(1e-15);
      assertBalanced(ring, quotas, 1e-9);
    }
  }

  @Test
  void a_class_without_quota_has_no_nodes_and_one_with_more_has_more_tokens() {
    assertThat(EngineTokens.plan(5, EngineQuotas.of(3, 3, 1), 4))
        .containsOnlyKeys(EngineClass.WRITE, EngineClass.MEMORY);
    Map<EngineClass, List<List<Long>>> four = EngineTokens.plan(5, FOUR, 4);
    assertThat(four.get(EngineClass.WRITE)).allSatisfy(own -> assertThat(own).hasSize(8));
    assertThat(four.get(EngineClass.MEMORY)).allSatisfy(own -> assertThat(own).hasSize(4));
  }

  @Test
  void tokens_are_rounded_to_what_closes_the_ring_evenly() {
    assertThat(EngineTokens.plan(6, THREE, 1).get(EngineClass.READ).get(0)).hasSize(2);
    assertThat(EngineTokens.plan(6, THREE, 17).get(EngineClass.READ).get(0)).hasSize(16);
    assertThat(EngineTokens.plan(4, THREE, 17).get(EngineClass.READ).get(0)).hasSize(17);
  }

  @Test
  void a_bad_value_is_refused_with_value_and_range() {
    assertThatThrownBy(() -> EngineTokens.plan(1, FOUR, 4))
        .hasMessage("servers is 1, legal: 2 to 1000");
    assertThatThrownBy(() -> EngineTokens.plan(3, THREE, 0))
        .hasMessage("tokens is 0, legal: 1 to 256");
    assertThatThrownBy(() -> EngineTokens.plan(3, THREE, 257))
        .hasMessageContaining("tokens is 257");
  }

  private static void assertExact(TokenRing ring, EngineQuotas quotas) {
    for (int arc = 0; arc < ring.tokens().size(); arc++) {
      List<EngineNode> replicas = replicas(ring, quotas, arc);
      Cases.assertQuotas(replicas, quotas);
      assertThat(servers(replicas)).as("%s: %s", quotas, replicas).isEqualTo(quotas.copies());
    }
    assertBalanced(ring, quotas, 1e-9);
  }

  /** Nodes of one class have the same share of copies. */
  private static void assertBalanced(TokenRing ring, EngineQuotas quotas, double tolerance) {
    RingBalance balance = RingBalance.of(ring, stock(quotas), "dc1");
    double nodesOfClass = ring.nodes().stream().map(Cases::server).distinct().count();
    for (RingNode node : ring.nodes()) {
      EngineClass engine = EngineClass.named(node.rack()).orElseThrow();
      assertThat(balance.shares().get(node.name()).copies())
          .isCloseTo(quotas.of(engine) / nodesOfClass, within(tolerance));
    }
  }

  private static Replication stock(EngineQuotas quotas) {
    return new Replication.NetworkTopology(Map.of("dc1", quotas.copies()));
  }

  private static List<EngineNode> replicas(TokenRing ring, EngineQuotas quotas, int arc) {
    List<EngineNode> replicas = new ArrayList<>();
    for (String name : stock(quotas).replicas(ring, arc)) {
      replicas.add(Cases.node(name));
    }
    return replicas;
  }

  private static long servers(List<EngineNode> replicas) {
    return replicas.stream().map(EngineNode::server).distinct().count();
  }

  private static TokenRing ring(int servers, EngineQuotas quotas, int tokens) {
    List<RingNode> nodes = new ArrayList<>();
    EngineTokens.plan(servers, quotas, tokens)
        .forEach(
            (engine, perServer) -> {
              assertThat(perServer).hasSize(servers);
              for (int server = 0; server < servers; server++) {
                nodes.add(
                    new RingNode(
                        "s" + server + "-" + engine,
                        "dc1",
                        engine.toString(),
                        perServer.get(server)));
              }
            });
    return TokenRing.of(nodes);
  }
}

package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The rule on random rings of servers with a node of each class. */
@ExtendWith(SeededRandom.class)
class EngineReplicationTest {

  @Test
  void keeps_quotas_on_distinct_servers_however_tokens_lie(Random random) {
    for (int i = 0; i < 200; i++) {
      EngineQuotas quotas = Cases.quotas(5, random);
      int servers = quotas.copies() + random.nextInt(5);
      TokenRing ring = TokenRing.of(Cases.nodes(servers, 1 + random.nextInt(6), random));

      for (List<String> replicas : replication(quotas).replicas(ring)) {
        List<EngineNode> nodes = replicas.stream().map(Cases::node).toList();
        Cases.assertQuotas(nodes, quotas);
        assertThat(nodes.stream().map(EngineNode::server)).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void the_first_replica_is_the_first_node_clockwise_whose_class_has_a_quota(Random random) {
    TokenRing ring = TokenRing.of(Cases.nodes(6, 4, random));

    for (int i = 0; i < ring.tokens().size(); i++) {
      assertThat(replication(EngineQuotas.of(3, 2, 2)).replicas(ring, i))
          .startsWith(ring.owner(i).name());
    }
  }

  @Test
  void does_not_depend_on_the_order_in_which_nodes_are_named(Random random) {
    List<RingNode> nodes = Cases.nodes(5, 4, random);
    EngineReplication replication = replication(EngineQuotas.of(4, 3, 2));
    List<List<String>> replicas = replication.replicas(TokenRing.of(nodes));

    for (int i = 0; i < 10; i++) {
      Collections.shuffle(nodes, random);
      assertThat(replication.replicas(TokenRing.of(nodes))).isEqualTo(replicas);
    }
  }

  /** Stock Cassandra with N replicas on N servers survives as many servers as the quorums allow. */
  @Test
  void each_read_quorum_meets_each_write_quorum_in_every_failure_that_leaves_them(Random random) {
    for (int i = 0; i < 50; i++) {
      int n = 2 + random.nextInt(4);
      int w = 1 + random.nextInt(n);
      int r = n + 1 - w + random.nextInt(w);
      TokenRing ring = TokenRing.of(Cases.nodes(n + random.nextInt(3), 2, random));
      Set<String> failed = new HashSet<>();
      while (failed.size() < n - Math.max(w, r)) {
        failed.add("s" + random.nextInt(n));
      }

      for (List<String> replicas : replication(EngineQuotas.of(n, w, r)).replicas(ring)) {
        List<String> alive = new ArrayList<>(replicas);
        alive.removeIf(name -> failed.contains(Cases.node(name).server()));
        assertThat(alive).hasSizeGreaterThanOrEqualTo(Math.max(w, r));
        for (int attempt = 0; attempt < 5; attempt++) {
          Set<String> written = some(alive, w, random);
          assertThat(some(alive, r, random)).containsAnyElementsOf(written);
        }
      }
    }
  }

  private static Set<String> some(List<String> alive, int count, Random random) {
    List<String> shuffled = new ArrayList<>(alive);
    Collections.shuffle(shuffled, random);
    return Set.copyOf(shuffled.subList(0, count));
  }

  @Test
  void a_server_that_joins_or_leaves_changes_its_own_arcs_alone(Random random) {
    for (int i = 0; i < 50; i++) {
      EngineQuotas quotas = Cases.quotas(5, random);
      int servers = quotas.copies() + random.nextInt(4);
      List<RingNode> with = Cases.nodes(servers, 3, random);
      with.addAll(Cases.server("new", 3, random));
      TokenRing after = TokenRing.of(with);
      TokenRing before = TokenRing.of(with.stream().filter(node -> !isNew(node.name())).toList());
      EngineReplication replication = replication(quotas);

      for (int arc = 0; arc < after.tokens().size(); arc++) {
        List<String> now = replication.replicas(after, arc);
        List<String> then = replication.replicas(before, before.arcOf(after.tokens().get(arc)));
        if (now.stream().noneMatch(EngineReplicationTest::isNew)) {
          assertThat(then).isEqualTo(now);
        }
        assertThat(now.stream().filter(EngineReplicationTest::isNew)).hasSizeLessThanOrEqualTo(1);
      }
    }
  }

  private static boolean isNew(String name) {
    return name.startsWith("new");
  }

  @Test
  void with_fewer_servers_than_copies_every_server_has_some_and_quotas_hold(Random random) {
    for (int i = 0; i < 100; i++) {
      EngineQuotas quotas = Cases.quotas(6, random);
      int least = Math.max(quotas.write(), Math.max(quotas.read(), quotas.memory()));
      int servers = least + random.nextInt(quotas.copies() - least + 1);
      TokenRing ring = TokenRing.of(Cases.nodes(servers, 3, random));

      for (List<String> replicas : replication(quotas).replicas(ring)) {
        List<EngineNode> nodes = replicas.stream().map(Cases::node).toList();
        Cases.assertQuotas(nodes, quotas);
        assertThat(nodes.stream().map(EngineNode::server).distinct()).hasSize(servers);
      }
    }
  }

  /** A greedy choice would put write on a, and then have no server left for read but a. */
  @Test
  void never_shares_a_server_where_that_can_be_avoided() {
    TokenRing ring =
        TokenRing.of(List.of(node("a-write", 1), node("a-read", 2), node("b-write", 3)));

    assertThat(replication(new EngineQuotas(1, 1, 0)).replicas(ring, 0))
        .containsExactly("a-read", "b-write");
  }

  @Test
  void random_gaps_are_placed_on_as_many_servers_as_brute_force_finds(Random random) {
    for (int i = 0; i < 100; i++) {
      List<RingNode> nodes = Cases.nodes(3 + random.nextInt(3), 2, random);
      nodes.removeIf(node -> random.nextInt(3) == 0);
      EngineQuotas quotas = Cases.quotas(4, random);
      if (nodes.isEmpty()) {
        continue;
      }
      List<EngineNode> known = nodes.stream().map(node -> Cases.node(node.name())).toList();
      int best = best(known, quotas, Set.of(), 0);
      TokenRing ring = TokenRing.of(nodes);

      for (List<String> replicas : replication(quotas).replicas(ring)) {
        assertThat(replicas).hasSize(Math.min(nodes.size(), quotas.copies()));
        assertThat(replicas.stream().map(Cases::node).map(EngineNode::server).distinct().count())
            .as("%s of %s, %s", replicas, known, quotas)
            .isGreaterThanOrEqualTo(best);
      }
    }
  }

  /** The most servers of copies within quotas. */
  private static int best(
      List<EngineNode> nodes, EngineQuotas quotas, Set<EngineNode> taken, int from) {
    int best = taken.size();
    for (int i = from; i < nodes.size(); i++) {
      EngineNode node = nodes.get(i);
      long ofClass = taken.stream().filter(each -> each.engine() == node.engine()).count();
      boolean shares = taken.stream().anyMatch(each -> each.server().equals(node.server()));
      if (!shares && ofClass < quotas.of(node.engine())) {
        Set<EngineNode> more = new HashSet<>(taken);
        more.add(node);
        best = Math.max(best, best(nodes, quotas, more, i + 1));
      }
    }
    return best;
  }

  @Test
  void nodes_of_other_classes_keep_the_copies_of_a_class_that_lacks_nodes() {
    TokenRing ring =
        TokenRing.of(List.of(node("a-write", 1), node("b-write", 2), node("c-write", 3)));

    assertThat(replication(EngineQuotas.of(3, 2, 2)).replicas(ring, 1))
        .containsExactly("b-write", "c-write", "a-write");
  }

  @Test
  void racks_that_name_no_class_keep_nothing_and_datacenters_are_apart() {
    TokenRing ring =
        TokenRing.of(
            List.of(
                node("a-write", 1),
                new RingNode("x", "dc1", "rack1", List.of(2L)),
                new RingNode("y", "dc2", "s1/memory", List.of(3L))));

    assertThat(replication(new EngineQuotas(1, 0, 1)).replicas(ring, 1)).containsExactly("a-write");
    assertThat(replication(new EngineQuotas(1, 0, 1)).copies("dc2")).isZero();
    assertThat(EngineNode.inRack("x", "s1/write/memory").orElseThrow().server())
        .isEqualTo("s1/write");
    assertThat(EngineNode.inRack("x", "/write")).isEmpty();
    assertThat(EngineNode.inRack("x", "s1/fast")).isEmpty();
    assertThatThrownBy(() -> replication(new EngineQuotas(1, 0, 0)).withCopies("dc1", 2))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static RingNode node(String name, long token) {
    EngineNode node = Cases.node(name);
    return new RingNode(name, "dc1", node.server() + "/" + node.engine(), List.of(token));
  }

  private static EngineReplication replication(EngineQuotas quotas) {
    return new EngineReplication(Map.of("dc1", quotas));
  }
}

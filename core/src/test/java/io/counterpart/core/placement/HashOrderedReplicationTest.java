package io.counterpart.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class HashOrderedReplicationTest {

  @Test
  void n_nodes_have_n_replica_sets_however_their_tokens_lie(Random random) {
    for (int nodes = 4; nodes <= 12; nodes++) {
      TokenRing ring = random(nodes, 16, random);

      RingBalance balance = RingBalance.of(ring, replication(3, 0), "dc1");

      assertThat(balance.replicaSets()).isEqualTo(nodes);
      assertThat(balance.shares().values().stream().mapToDouble(RingBalance.Share::primary).sum())
          .as("every arc is led once")
          .isBetween(0.999999, 1.000001);
    }
  }

  @Test
  void each_datacenter_has_its_copies_and_the_owner_of_the_token_comes_first(Random random) {
    List<RingNode> nodes = new ArrayList<>(random(5, 8, random).nodes());
    for (int i = 0; i < 4; i++) {
      nodes.add(new RingNode("10.1.0." + i, "dc2", "r" + i % 2, tokens(8, random)));
    }
    TokenRing ring = TokenRing.of(nodes);

    for (int i = 0; i < ring.tokens().size(); i++) {
      List<String> replicas = replication(3, 2).replicas(ring, i);

      assertThat(replicas).hasSize(5).doesNotHaveDuplicates();
      assertThat(replicas).startsWith(ring.owner(i).name());
      assertThat(replicas.stream().filter(name -> name.startsWith("10.1."))).hasSize(2);
    }
  }

  @Test
  void a_datacenter_without_copies_has_none(Random random) {
    List<RingNode> nodes = new ArrayList<>(random(3, 4, random).nodes());
    nodes.add(new RingNode("10.1.0.1", "dc2", "r", tokens(4, random)));
    TokenRing ring = TokenRing.of(nodes);

    for (int i = 0; i < ring.tokens().size(); i++) {
      assertThat(replication(2, 0).replicas(ring, i)).hasSize(2).doesNotContain("10.1.0.1");
    }
  }

  @Test
  void nodes_are_hashed_by_their_address_with_its_port() {
    TokenRing ring =
        TokenRing.of(
            List.of(node("10.0.0.1", 1), node("10.0.0.2", 2), node("10.0.0.3", 3), node("x", 4)));
    Map<String, String> addresses =
        Map.of(
            "10.0.0.1", "10.0.0.1:7000",
            "10.0.0.2", "10.0.0.2:7000",
            "10.0.0.3", "10.0.0.3:7000",
            "x", "10.0.0.4:7000");
    List<String> order =
        HashOrder.of(addresses.values().stream().map(a -> new Host(a, "r")).toList())
            .hosts()
            .stream()
            .map(Host::address)
            .toList();

    List<String> replicas =
        new HashOrderedReplication(Map.of("dc1", 4), addresses).replicas(ring, 0);

    int first = order.indexOf("10.0.0.1:7000");
    for (int i = 0; i < 4; i++) {
      assertThat(addresses).containsEntry(replicas.get(i), order.get((first + i) % 4));
    }
  }

  /** One look at all nodes for the ring, not one for each arc: 64,000 arcs would take minutes. */
  @Test
  @Timeout(60)
  void rings_of_a_thousand_nodes_are_placed_in_a_moment(Random random) {
    List<RingNode> nodes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      String name = "10.0.%d.%d".formatted(i / 250, i % 250);
      nodes.add(new RingNode(name, "dc" + (1 + i % 2), "r" + i % 6, tokens(64, random)));
    }
    TokenRing ring = TokenRing.of(nodes);
    HashOrderedReplication replication = replication(3, 3);

    List<List<String>> all = replication.replicas(ring);

    assertThat(all).hasSize(64_000);
    for (int i = 0; i < 20; i++) {
      int arc = random.nextInt(64_000);
      assertThat(all.get(arc)).hasSize(6).isEqualTo(replication.replicas(ring, arc));
    }
  }

  @Test
  void refuses_no_copies() {
    assertThatThrownBy(() -> replication(0, 1).withCopies("dc2", 0))
        .hasMessageContaining("copies in dc2 is 0, legal: 1 and above");
  }

  private static HashOrderedReplication replication(int first, int second) {
    Map<String, Integer> copies =
        second == 0
            ? Map.of("dc1", first)
            : first == 0 ? Map.of("dc2", second) : Map.of("dc1", first, "dc2", second);
    return new HashOrderedReplication(copies, Map.of());
  }

  private static TokenRing random(int nodes, int tokens, Random random) {
    List<RingNode> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      members.add(new RingNode("10.0.0." + i, "dc1", "r", tokens(tokens, random)));
    }
    return TokenRing.of(members);
  }

  private static List<Long> tokens(int count, Random random) {
    return random.longs(count).boxed().toList();
  }

  private static RingNode node(String name, long token) {
    return new RingNode(name, "dc1", "r", List.of(token));
  }
}

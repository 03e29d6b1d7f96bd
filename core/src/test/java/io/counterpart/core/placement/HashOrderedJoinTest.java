package io.counterpart.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.OrderedPlacement.Datacenter;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingDifference;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class HashOrderedJoinTest {
  private static final int TOKENS = 4;

  @Test
  void tokens_that_take_arcs_from_anybody_are_unsafe() {
    TokenRing before = ring(hosts(8, 1));
    HashOrderedReplication two = replication(2);
    RingNode joining = joining(List.of(7L, 1L << 61, -(1L << 61), 3L << 61));

    HashOrderedJoin verdict = judge(before, joining, two);

    assertThat(verdict).isInstanceOf(HashOrderedJoin.Unsafe.class);
    HashOrderedJoin.Unsafe unsafe = (HashOrderedJoin.Unsafe) verdict;
    assertThat(unsafe.gained()).isNotEmpty().doesNotContainKey(joining.name());
    assertThat(unsafe.legal()).hasSize(4);
  }

  @Test
  void the_tokens_that_are_named_legal_are_safe_whatever_the_racks(Random random) {
    int refused = 0;
    for (int round = 0; round < 200; round++) {
      int racks = 1 + random.nextInt(4);
      TokenRing before = ring(hosts(1 + random.nextInt(12), racks));
      HashOrderedReplication replication = replication(1 + random.nextInt(4));
      RingNode joining = joining(random.longs(TOKENS).boxed().toList());

      if (judge(before, joining, replication) instanceof HashOrderedJoin.Unsafe unsafe) {
        refused++;
        assertThat(unsafe.legal()).hasSize(TOKENS);
        assertThat(judge(before, joining(unsafe.legal()), replication))
            .as("%s into %s", unsafe, before.nodes())
            .isEqualTo(new HashOrderedJoin.Safe());
      }
    }
    assertThat(refused).as("joins refused").isGreaterThan(50);
  }

  @Test
  void two_tokens_halve_what_the_successor_leads() {
    TokenRing before = ring(hosts(5, 1));
    HashOrderedReplication three = replication(3);
    HashOrderedJoin.Unsafe unsafe =
        (HashOrderedJoin.Unsafe) judge(before, joining(List.of(7L, 8L, 9L, 10L)), three);

    TokenRing after = before.with(joining(unsafe.legal()));

    RingBalance balance = RingBalance.of(after, three, "dc1");
    assertThat(share(balance, "10.9.9.9")).isBetween(0.0999, 0.1001);
    assertThat(share(balance, unsafe.successor())).isBetween(0.0999, 0.1001);
    assertThat(balance.replicaSets()).isEqualTo(6);
  }

  @Test
  void a_leaving_node_s_arcs_go_to_nodes_that_cassandra_sends_them_to(Random random) {
    for (int round = 0; round < 100; round++) {
      TokenRing before = ring(hosts(5 + random.nextInt(8), 1 + random.nextInt(3)));
      HashOrderedReplication replication = replication(1 + random.nextInt(3));
      RingNode leaving = before.nodes().get(random.nextInt(before.nodes().size()));
      TokenRing after = before.without(leaving.name());

      // Cassandra sends the arcs of which the leaving node is a replica: no other may change
      for (int i = 0; i < before.tokens().size(); i++) {
        List<String> had = replication.replicas(before, i);
        if (!had.contains(leaving.name())) {
          int index = after.tokens().indexOf(before.tokens().get(i));
          assertThat(replication.replicas(after, index)).isEqualTo(had);
        }
      }
    }
  }

  /** An arc of rank 0, on ranks 0 to 2, goes to ranks 3 to 5, which all get the copy of rank 0. */
  @Test
  void a_leaving_node_s_followers_drop_copies_that_it_may_lack() {
    List<String> ranked = HashOrder.of(hosts(8, 1)).hosts().stream().map(Host::address).toList();
    List<RingNode> nodes = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      nodes.add(new RingNode(ranked.get(rank), "dc1", "rack0", List.of(rank * 3 % 8 * 1_000L)));
    }
    TokenRing ring = TokenRing.of(nodes);
    Replication stock = new Replication.NetworkTopology(Map.of("dc1", 3));

    assertThat(RingDifference.dropped(ring, ranked.get(0), replication(3)))
        .containsOnlyKeys(ranked.get(1), ranked.get(2));
    assertThat(RingDifference.dropped(ring, ranked.get(0), stock)).isEmpty();
  }

  @Test
  void a_node_that_has_joined_with_legal_tokens_leaves_as_it_came() {
    TokenRing before = ring(hosts(8, 1));
    HashOrderedReplication three = replication(3);
    HashOrderedJoin.Unsafe unsafe =
        (HashOrderedJoin.Unsafe) judge(before, joining(List.of(7L, 8L, 9L, 10L)), three);
    RingNode joined = joining(unsafe.legal());

    assertThat(RingDifference.dropped(before.with(joined), joined.name(), three)).isEmpty();
  }

  @Test
  void a_replacement_by_another_address_is_unsafe_and_cannot_choose() {
    TokenRing before = ring(hosts(8, 1));
    RingNode dead = before.nodes().get(3);
    RingNode replacing = new RingNode("10.9.9.9", "dc1", "rack0", dead.tokens());
    TokenRing after = before.without(dead.name()).with(replacing);

    HashOrderedJoin verdict =
        HashOrderedJoin.judge(before, after, replacing.name(), replication(3));

    assertThat(verdict).isInstanceOf(HashOrderedJoin.Unsafe.class);
    assertThat(((HashOrderedJoin.Unsafe) verdict).legal()).isEmpty();
  }

  private static double share(RingBalance balance, String node) {
    RingBalance.Share share = balance.shares().get(node);
    assertThat(share).as(node).isNotNull();
    return share.primary();
  }

  private static HashOrderedJoin judge(
      TokenRing before, RingNode joining, HashOrderedReplication replication) {
    return HashOrderedJoin.judge(before, before.with(joining), joining.name(), replication);
  }

  private static HashOrderedReplication replication(int copies) {
    return new HashOrderedReplication(Map.of("dc1", copies), Map.of());
  }

  private static RingNode joining(List<Long> tokens) {
    return new RingNode("10.9.9.9", "dc1", "rack0", tokens);
  }

  private static TokenRing ring(List<Host> hosts) {
    return OrderedPlacement.ring(hosts, new Datacenter("dc1", 1, 1), TOKENS);
  }

  private static List<Host> hosts(int count, int racks) {
    return new ArrayList<>(
        IntStream.range(0, count)
            .mapToObj(i -> new Host("10.0.0." + (i + 1), "rack" + i % racks))
            .toList());
  }
}

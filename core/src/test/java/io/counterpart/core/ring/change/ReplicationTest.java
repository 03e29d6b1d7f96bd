package io.counterpart.core.ring.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Replicas as Cassandra 5.0.9 chooses them. */
class ReplicationTest {
  private static final TokenRing RING =
      TokenRing.of(
          List.of(
              node("a", "dc1", "r1", 10, 50),
              node("b", "dc1", "r1", 20),
              node("c", "dc1", "r2", 30),
              node("x", "dc2", "r1", 15),
              node("y", "dc2", "r2", 25)));

  @Test
  void simple_takes_the_next_nodes_wherever_they_stand() {
    Replication simple = new Replication.Simple(3);

    // tokens 10 15 20 25 30 50
    assertThat(simple.replicas(RING, 0)).containsExactly("a", "x", "b");
    assertThat(simple.replicas(RING, 4)).containsExactly("c", "a", "x");
    assertThat(new Replication.Simple(9).replicas(RING, 0)).hasSize(5);
  }

  @Test
  void each_datacenter_takes_other_racks_first() {
    Replication two = new Replication.NetworkTopology(Map.of("dc1", 2, "dc2", 1));

    // b stands in a's rack, so c is taken
    assertThat(two.replicas(RING, 0)).containsExactly("a", "x", "c");
    assertThat(two.replicas(RING, 2)).containsExactly("b", "y", "c");
  }

  @Test
  void a_rack_is_taken_twice_only_where_racks_are_fewer_than_copies() {
    Replication three = new Replication.NetworkTopology(Map.of("dc1", 3));

    assertThat(three.replicas(RING, 0)).containsExactly("a", "b", "c");
    assertThat(new Replication.NetworkTopology(Map.of("dc1", 9, "dc3", 2)).replicas(RING, 1))
        .containsExactly("b", "c", "a");
  }

  private static RingNode node(String name, String datacenter, String rack, long... tokens) {
    return new RingNode(name, datacenter, rack, java.util.Arrays.stream(tokens).boxed().toList());
  }
}

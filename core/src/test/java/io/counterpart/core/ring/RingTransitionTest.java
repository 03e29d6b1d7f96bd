package io.counterpart.core.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class RingTransitionTest {
  private static final Map<Long, String> NOW = Map.of(10L, "a", 20L, "b", 30L, "c");

  @Test
  void sees_what_a_move_brings_and_what_it_takes_away() {
    Map<Long, String> afterwards = Map.of(20L, "b", 25L, "a", 30L, "c");

    RingTransition.Arcs<Long, String> ofMover = between(NOW, afterwards, 1, "a");
    RingTransition.Arcs<Long, String> ofHeir = between(NOW, afterwards, 1, "b");

    assertThat(ofMover.ends()).containsExactly(10L, 20L, 25L, 30L);
    assertThat(ofMover.replicas())
        .containsExactly(List.of("a"), List.of("b"), List.of("a"), List.of("c"));
    assertThat(ofHeir.ends()).containsExactly(20L, 25L, 30L);
    assertThat(ofHeir.replicas()).containsExactly(List.of("b"), List.of("a"), List.of("c"));
  }

  @Test
  void is_the_ring_afterwards_for_who_loses_nothing_when_a_node_leaves() {
    Map<Long, String> afterwards = Map.of(10L, "a", 20L, "b");

    RingTransition.Arcs<Long, String> arcs = between(NOW, afterwards, 2, "a");

    assertThat(arcs).isEqualTo(RingTransition.settled(state(new TreeMap<>(afterwards), 2)));
  }

  @Test
  void owns_on_random_rings_what_it_will_own_and_what_it_owns_now(Random random) {
    for (int round = 0; round < 200; round++) {
      TreeMap<Long, String> now = randomRing(random);
      TreeMap<Long, String> afterwards = new TreeMap<>(now);
      for (Long token : List.copyOf(now.keySet())) {
        if (random.nextInt(4) == 0 && afterwards.size() > 1) {
          String owner = afterwards.remove(token);
          if (random.nextBoolean()) {
            afterwards.put((long) random.nextInt(1000), owner);
          }
        }
      }
      int copies = 1 + random.nextInt(3);

      RingTransition.Arcs<Long, String> arcs = between(now, afterwards, copies, "n1");

      RingView<Long> view = RingView.of(arcs.ends(), arcs.replicas(), "n1", 1000);
      for (long token = -1; token < 1001; token++) {
        int later = replicas(afterwards, copies, token).indexOf("n1");
        int today = replicas(now, copies, token).indexOf("n1");
        assertThat(view.arc(token).replicaIndex())
            .as("token %s of %s, then %s", token, now, afterwards)
            .isEqualTo(later >= 0 ? later : today);
      }
    }
  }

  private static TreeMap<Long, String> randomRing(Random random) {
    TreeMap<Long, String> ring = new TreeMap<>();
    int tokens = 2 + random.nextInt(30);
    for (int i = 0; i < tokens; i++) {
      ring.put((long) random.nextInt(1000), "n" + random.nextInt(6));
    }
    return ring;
  }

  private static RingTransition.Arcs<Long, String> between(
      Map<Long, String> now, Map<Long, String> afterwards, int copies, String local) {
    return RingTransition.between(
        state(new TreeMap<>(now), copies), state(new TreeMap<>(afterwards), copies), local);
  }

  private static RingTransition.State<Long, String> state(TreeMap<Long, String> ring, int copies) {
    return new RingTransition.State<>(
        List.copyOf(ring.keySet()), token -> replicas(ring, copies, token));
  }

  /** The nodes of the next tokens clockwise, each once. */
  private static List<String> replicas(TreeMap<Long, String> ring, int copies, long token) {
    List<String> clockwise = new ArrayList<>(ring.tailMap(token).values());
    clockwise.addAll(ring.headMap(token).values());
    return clockwise.stream().distinct().limit(copies).toList();
  }
}

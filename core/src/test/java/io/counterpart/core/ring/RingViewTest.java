package io.counterpart.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RingViewTest {
  private static final List<Long> ENDS = List.of(10L, 20L, 30L, 40L);
  private static final List<List<String>> REPLICAS =
      List.of(List.of("a", "b"), List.of("b", "c"), List.of("c", "a"), List.of("a", "b"));

  @Test
  void finds_the_arc_of_a_token_including_the_wrap() {
    RingView<Long> view = RingView.of(ENDS, REPLICAS, "a", 100);

    assertThat(view.arc(10L).replicaIndex()).isZero();
    assertThat(view.arc(11L).replicaIndex()).isEqualTo(Arc.NOT_OWNED);
    assertThat(view.arc(30L).replicaIndex()).isEqualTo(1);
    assertThat(view.arc(41L)).isEqualTo(view.arc(5L));
  }

  @Test
  void joins_neighbouring_arcs_with_the_same_replicas() {
    List<List<String>> replicas =
        List.of(List.of("a", "b"), List.of("a", "b"), List.of("b", "a"), List.of("c"));

    RingView<Long> view = RingView.of(ENDS, replicas, "a", 100);

    assertThat(view.arc(15L).group()).isEqualTo(view.arc(5L).group());
    assertThat(view.arc(25L).group()).isNotEqualTo(view.arc(15L).group());
    assertThat(view.redundantGroups()).isEqualTo(1);
  }

  @Test
  void bounds_across_a_boundary_are_not_within_one_group() {
    RingView<Long> view = RingView.of(ENDS, REPLICAS, "a", 100);

    assertThat(view.withinOneGroup(11L, 20L)).isTrue();
    assertThat(view.withinOneGroup(10L, 11L)).isFalse();
    assertThat(view.withinOneGroup(41L, 99L)).isTrue();
    assertThat(view.withinOneGroup(5L, 50L)).isFalse();
  }

  @Test
  void counts_owned_groups_between_tokens_up_to_a_bound() {
    RingView<Long> view = RingView.of(ENDS, REPLICAS, "a", 100);
    List<Integer> ownedGroups =
        IntStream.range(0, view.arcCount())
            .mapToObj(view::arcAt)
            .filter(Arc::isOwned)
            .map(Arc::group)
            .distinct()
            .toList();

    assertThat(ownedGroups).hasSizeGreaterThan(1);
    assertThat(view.groupsWithin(0L, 99L, 100)).isEqualTo(ownedGroups.size());
    assertThat(view.groupsWithin(0L, 99L, 1)).isEqualTo(1);
    assertThat(view.groupsWithin(11L, 20L, 100)).isEqualTo(view.arc(15L).isOwned() ? 1 : 0);
  }

  @Test
  void knows_the_part_of_the_first_arc_that_wraps() {
    RingView<Long> view = RingView.of(ENDS, REPLICAS, "a", 100);
    long last = ENDS.get(ENDS.size() - 1);

    assertThat(view.isAboveLastEnd(last)).isFalse();
    assertThat(view.isAboveLastEnd(last + 1)).isTrue();
    assertThat(view.arcIndex(last + 1)).isZero();
    assertThat(view.isAboveLastEnd(ENDS.get(0))).isFalse();
  }

  @Test
  void scatters_groups_above_the_limit() {
    RingView<Long> fine = RingView.of(ENDS, REPLICAS, "a", 3);
    RingView<Long> coarse = RingView.of(ENDS, REPLICAS, "a", 2);

    assertThat(fine.hasScatteredGroups()).isFalse();
    assertThat(coarse.hasScatteredGroups()).isTrue();
    assertThat(coarse.arc(40L).group()).isEqualTo(coarse.arc(10L).group());
    assertThat(coarse.arcsOf(coarse.arc(10L).group())).containsExactly(0, 3);
  }

  @Test
  void agrees_with_a_linear_search_on_random_rings() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      TreeSet<Long> tokens = new TreeSet<>();
      int arcs = 1 + random.nextInt(40);
      while (tokens.size() < arcs) {
        tokens.add((long) random.nextInt(1000));
      }
      List<Long> ends = new ArrayList<>(tokens);
      List<List<Integer>> replicas = new ArrayList<>();
      for (int i = 0; i < arcs; i++) {
        int first = random.nextInt(4);
        replicas.add(List.of(first, (first + 1 + random.nextInt(3)) % 4));
      }
      RingView<Long> view = RingView.of(ends, replicas, 0, 1 + random.nextInt(20));
      for (long token = 0; token < 1000; token += 7) {
        int expected = 0;
        while (expected < arcs && ends.get(expected) < token) {
          expected++;
        }
        List<Integer> list = replicas.get(expected % arcs);
        assertThat(view.arc(token).replicaIndex()).as("seed %d", seed).isEqualTo(list.indexOf(0));
      }
    }
  }

  @Test
  void rejects_tokens_out_of_order_with_the_index() {
    assertThatThrownBy(() -> RingView.of(List.of(2L, 1L), List.of(List.of(), List.of()), "a", 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index 1");
    assertThatThrownBy(() -> RingView.of(ENDS, REPLICAS, "a", 0)).hasMessageContaining("legal");
  }
}

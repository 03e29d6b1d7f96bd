package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TakeoversTest {
  private static final Map<Integer, String> RING = Map.of(1, "a", 2, "b", 3, "c", 4, "a");

  private final Takeovers<String, Integer> takeovers = new Takeovers<>();

  @BeforeEach
  void look_for_the_first_time() {
    assertChange(Map.of(), Set.of(), Set.of());
    assertChange(RING, Set.of(), Set.of());
  }

  @Test
  void a_ring_that_stays_changes_nothing() {
    assertChange(RING, Set.of(), Set.of());
  }

  @Test
  void a_node_that_comes_is_the_only_one_with_more() {
    assertChange(Map.of(1, "a", 2, "b", 3, "c", 4, "a", 5, "d", 6, "d"), Set.of("d"), Set.of());
  }

  @Test
  void all_that_stay_may_have_more_when_one_leaves() {
    assertChange(Map.of(1, "a", 3, "c", 4, "a"), Set.of("a", "c"), Set.of("b"));

    // and comes back as the one that it was
    assertChange(Map.of(1, "a", 3, "c", 4, "a", 7, "b"), Set.of("b"), Set.of());
  }

  @Test
  void all_may_have_more_when_one_moves() {
    assertChange(Map.of(1, "a", 2, "b", 9, "c", 4, "a"), Set.of("a", "b", "c"), Set.of());
  }

  @Test
  void a_node_in_place_of_another_is_the_only_one_with_more() {
    assertChange(Map.of(1, "a", 2, "d", 3, "c", 4, "a"), Set.of("d"), Set.of("b"));
  }

  private void assertChange(Map<Integer, String> now, Set<String> grown, Set<String> gone) {
    assertThat(takeovers.look(now)).isEqualTo(new Takeovers.Change<>(grown, gone));
  }
}

package io.counterpart.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.result.RingArc;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RingReadingTest {

  @Test
  void keeps_the_order_of_replicas_and_sorts_the_arcs_by_their_start() {
    List<RingArc> arcs =
        RingReading.arcs(
            Map.of(
                List.of("4611686018427387904", "0"), List.of("c", "a"),
                List.of("0", "4611686018427387904"), List.of("b", "c")));

    assertThat(arcs)
        .containsExactly(
            new RingArc(0.5, 0.75, List.of("b", "c")), new RingArc(0.75, 0.5, List.of("c", "a")));
  }

  @Test
  void covers_the_whole_range_of_tokens() {
    List<RingArc> arcs =
        RingReading.arcs(
            Map.of(
                List.of(String.valueOf(Long.MIN_VALUE), String.valueOf(Long.MAX_VALUE)),
                List.of("a")));

    assertThat(arcs).containsExactly(new RingArc(0, 1, List.of("a")));
  }

  @Test
  void refuses_what_is_no_arc() {
    assertThatThrownBy(() -> new RingArc(-0.5, 1, List.of("a")))
        .hasMessageContaining("arc from -0.5 to 1.0: both must be from 0 to 1");
    assertThatThrownBy(() -> new RingArc(0, 1, List.of()))
        .hasMessageContaining("needs at least one replica");
  }
}

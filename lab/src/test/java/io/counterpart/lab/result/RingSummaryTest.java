package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingSummaryTest {

  @Test
  void counts_sets_of_nodes_and_not_lists_and_compares_the_most_with_the_mean() {
    RingSummary ring =
        RingSummary.of(
            List.of(
                new RingArc(0, 0.5, List.of("a", "b")),
                new RingArc(0.5, 0.75, List.of("b", "a")),
                new RingArc(0.75, 0, List.of("c", "a"))));

    assertThat(ring.nodes()).isEqualTo(3);
    assertThat(ring.replicaSets()).isEqualTo(2);
    assertThat(ring.primaryImbalance()).as("a leads a half, the mean is a third").isEqualTo(1.5);
    assertThat(ring.copiesImbalance()).as("a keeps all, the mean is two thirds").isEqualTo(1.5);
    assertThat(ring.arcs()).hasSize(3);
  }

  @Test
  void leaves_out_the_arcs_of_a_large_ring() {
    RingArc arc = new RingArc(0, 0.5, List.of("a"));

    assertThat(RingSummary.of(Collections.nCopies(500, arc)).arcs()).hasSize(500);
    assertThat(RingSummary.of(Collections.nCopies(501, arc)).arcs()).isEmpty();
  }
}

package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PhaseOutcomeTest {
  @Test
  void a_round_without_any_answer_is_no_measurement() {
    PhaseOutcome refused = outcome(0, "all nodes are down");

    assertThatThrownBy(() -> PhaseOutcome.requireAnswer("lsm", "round", outcome(0, ""), refused))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no operation of round on lsm was answered: all nodes are down");
    assertThatCode(() -> PhaseOutcome.requireAnswer("lsm", "round", outcome(1, ""), refused))
        .doesNotThrowAnyException();
  }

  private static PhaseOutcome outcome(long operations, String firstError) {
    return new PhaseOutcome(operations, 5, 1_000, new Latencies(Map.of()), firstError);
  }
}

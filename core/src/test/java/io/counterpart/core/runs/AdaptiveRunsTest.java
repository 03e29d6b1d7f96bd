package io.counterpart.core.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AdaptiveRunsTest {
  private final AdaptiveRuns adaptive = new AdaptiveRuns(4, 25);

  @Test
  void takes_the_geometric_mean_at_equal_rates() {
    assertThat(adaptive.runsFor(100, 100)).isEqualTo(10);
  }

  @Test
  void follows_the_root_of_the_ratio_within_the_bounds() {
    assertThat(adaptive.runsFor(100, 400)).isEqualTo(20);
    assertThat(adaptive.runsFor(1, 1_000_000)).isEqualTo(25);
    assertThat(adaptive.runsFor(1_000_000, 1)).isEqualTo(4);
  }

  @Test
  void keeps_the_most_runs_where_nothing_is_read() {
    assertThat(adaptive.runsFor(0, 0)).isEqualTo(25);
  }

  @Test
  void rejects_bounds_in_the_wrong_order() {
    assertThatThrownBy(() -> new AdaptiveRuns(5, 4)).hasMessageContaining("most 4");
    assertThatThrownBy(() -> new AdaptiveRuns(0, 4)).hasMessageContaining("legal: 1 and above");
  }
}

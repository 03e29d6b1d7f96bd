package io.counterpart.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarsSimulationTest {
  private static final int TRIALS = 400_000;

  /** Bailis et al. (VLDB 2012), §5.5 and Figure 6. */
  @ParameterizedTest(name = "{0} N={1} R={2} W={3} t={4}ms → {5} % fresh")
  @CsvSource({
    "lnkd-ssd,  3, 1, 1, 0,  97.4",
    "lnkd-disk, 3, 1, 1, 0,  43.9",
    "lnkd-disk, 3, 1, 1, 10, 92.5",
  })
  void published_points_are_reproduced_within_half_a_point(
      String model, int n, int r, int w, double t, double freshPercent) {
    // a standard deviation of 0.035 points
    Proportion stale = simulation(model, new Quorum(n, r, w)).stale(t, 2_000_000, 2);

    assertThat(100 * (1 - stale.share())).isBetween(freshPercent - 0.5, freshPercent + 0.5);
  }

  @ParameterizedTest(name = "N={0} R={1} W={2}")
  @CsvSource({"3, 2, 2", "3, 3, 1", "3, 1, 3", "5, 3, 3", "1, 1, 1"})
  void quorums_that_overlap_are_never_stale(int n, int r, int w) {
    assertThat(simulation("ymmr", new Quorum(n, r, w)).stale(0, 50_000, 2).count()).isZero();
  }

  @Test
  void waiting_longer_or_reading_more_is_fresher() {
    Quorum one = new Quorum(3, 1, 1);
    double now = simulation("ymmr", one).stale(0, TRIALS, 3).share();
    double later = simulation("ymmr", one).stale(50, TRIALS, 3).share();
    double two = simulation("ymmr", new Quorum(3, 2, 1)).stale(0, TRIALS, 3).share();

    assertThat(later).isLessThan(now);
    assertThat(two).isLessThan(now);
  }

  @Test
  void equal_delays_are_never_stale_and_a_slow_write_always_is_on_the_others() {
    Delays one = new Delays.Measured(1);
    WarsModel equal = new WarsModel(one, one, one, one);
    assertThat(new WarsSimulation(equal, new Quorum(3, 1, 1)).stale(0, 1000, 4).count()).isZero();

    // half of the writes take 100 ms: the read meets one of them before that
    WarsModel slow = new WarsModel(new Delays.Measured(1, 100), one, one, one);
    Proportion stale = new WarsSimulation(slow, new Quorum(2, 1, 1)).stale(0, TRIALS, 4);
    // one quick, one slow, and the slow one is read: ½ · ½, as the first of equal answers counts
    assertThat(stale.share()).isBetween(0.24, 0.26);
  }

  @Test
  void the_same_seed_gives_the_same_counts() {
    WarsSimulation simulation = simulation("lnkd-disk", new Quorum(3, 1, 1));

    assertThat(simulation.stale(1, 10_000, 5)).isEqualTo(simulation.stale(1, 10_000, 5));
    assertThat(simulation.stale(1, 10_000, 5)).isNotEqualTo(simulation.stale(1, 10_000, 6));
  }

  @Test
  void refuses_what_is_out_of_range() {
    assertThatThrownBy(() -> new Quorum(3, 4, 1)).hasMessage("r is 4, legal: 1 to 3");
    assertThatThrownBy(() -> new Quorum(0, 1, 1)).hasMessage("n is 0, legal: 1 to 100");
    WarsSimulation simulation = simulation("ymmr", new Quorum(3, 1, 1));
    assertThatThrownBy(() -> simulation.stale(-1, 10, 1)).hasMessageContaining("t is -1.0 ms");
    assertThatThrownBy(() -> simulation.stale(0, 0, 1)).hasMessageContaining("trials is 0");
    assertThatThrownBy(() -> new Delays.Measured()).hasMessageContaining("0 delays");
    assertThatThrownBy(() -> new Delays.ParetoAndTail(2, 1, 1, 1))
        .hasMessageContaining("share 2.0");
  }

  private static WarsSimulation simulation(String model, Quorum quorum) {
    return new WarsSimulation(Objects.requireNonNull(WarsModel.published().get(model)), quorum);
  }
}

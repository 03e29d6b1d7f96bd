package io.counterpart.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedRatiosTest {

  @Test
  void takes_the_median_of_ratios_within_pairs() {
    // the machine got slower from pair to pair: each ratio is 2
    Interval ratio =
        PairedRatios.of(new double[] {20, 10, 8, 6, 2}, new double[] {10, 5, 4, 3, 1}, 1);

    assertThat(ratio).isEqualTo(new Interval(2, 2, 2));
  }

  @Test
  void gives_the_extremes_of_a_few_pairs() {
    assertThat(PairedRatios.of(new double[] {3, 1, 2}, new double[] {1, 1, 1}, 1))
        .isEqualTo(new Interval(2, 1, 3));
  }

  @Test
  void covers_the_true_ratio_as_often_as_it_says() {
    Random random = new Random(7);
    int covered = 0;
    int trials = 300;
    for (int trial = 0; trial < trials; trial++) {
      double[] own = new double[11];
      double[] peer = new double[11];
      for (int i = 0; i < own.length; i++) {
        own[i] = 1.5 * Math.exp(0.1 * random.nextGaussian());
        peer[i] = Math.exp(0.1 * random.nextGaussian());
      }
      covered += PairedRatios.of(own, peer, trial).contains(1.5) ? 1 : 0;
    }

    assertThat((double) covered / trials).isBetween(0.9, 1.0);
  }

  @Test
  void refuses_what_is_not_paired() {
    assertThatThrownBy(() -> PairedRatios.of(new double[2], new double[1], 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 and 1 values: a ratio needs pairs, at least one");
  }
}

package io.counterpart.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnpairedRatioTest {
  @Test
  void is_the_ratio_of_the_medians_whatever_the_order() {
    double[] own = {30, 10, 20, 25, 15};
    double[] peer = {10, 10, 10, 10, 10};

    Interval ratio = UnpairedRatio.of(own, peer, 1);

    assertThat(ratio.median()).isEqualTo(2);
    assertThat(ratio.low()).isBetween(1.0, 2.0);
    assertThat(ratio.high()).isBetween(2.0, 3.0);
    assertThat(UnpairedRatio.of(new double[] {10, 15, 20, 25, 30}, peer, 1).median()).isEqualTo(2);
    assertThat(UnpairedRatio.of(own, peer, 1)).isEqualTo(ratio);
  }

  @Test
  void few_values_give_their_extremes() {
    assertThat(UnpairedRatio.of(new double[] {20, 30}, new double[] {10, 5, 8, 8, 8, 8}, 1))
        .isEqualTo(new Interval(25.0 / 8, 2, 6));
  }

  @Test
  void sees_what_is_there_and_mostly_nothing_where_nothing_is() {
    int seen = 0;
    int alarms = 0;
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] peer = noisy(random, 100, 7);
      seen += UnpairedRatio.of(noisy(random, 150, 7), peer, seed).verdict().equals("more") ? 1 : 0;
      alarms += UnpairedRatio.of(noisy(random, 100, 7), peer, seed).contains(1) ? 0 : 1;
    }
    assertThat(seen).isGreaterThan(95);
    assertThat(alarms / 100.0).as("false alarms").isLessThan(0.12);
  }

  @Test
  void says_how_often_few_values_are_apart_by_chance() {
    assertThat(UnpairedRatio.falseAlarm(1, 1)).isEqualTo(1);
    assertThat(UnpairedRatio.falseAlarm(2, 2)).isEqualTo(1 / 3.0, within(1e-9));
    assertThat(UnpairedRatio.falseAlarm(3, 3)).isEqualTo(0.1, within(1e-9));
    assertThat(UnpairedRatio.falseAlarm(7, 5)).isEqualTo(0.05, within(1e-9));

    int apart = 0;
    for (int seed = 0; seed < 4000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Interval ratio = UnpairedRatio.of(noisy(random, 100, 3), noisy(random, 100, 3), seed);
      apart += ratio.contains(1) ? 0 : 1;
    }
    assertThat(apart / 4000.0).isEqualTo(0.1, within(0.02));
  }

  @Test
  void refuses_what_has_no_ratio() {
    assertThatThrownBy(() -> UnpairedRatio.of(new double[] {1}, new double[] {0}, 1))
        .hasMessageContaining("values above 0");
    assertThatThrownBy(() -> UnpairedRatio.of(new double[0], new double[] {1}, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> UnpairedRatio.of(new double[] {Double.NaN}, new double[] {1}, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static double[] noisy(SplittableRandom random, double around, int values) {
    return random.doubles(values, around * 0.9, around * 1.1).toArray();
  }
}

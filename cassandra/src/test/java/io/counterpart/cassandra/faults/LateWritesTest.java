package io.counterpart.cassandra.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LateWritesTest {
  private static final int DRAWS = 100_000;
  private static final double MEAN = 200;

  @Test
  void delays_are_exponential() {
    SplittableRandom random = new SplittableRandom(1);
    double sum = 0;
    int late = 0;
    for (int i = 0; i < DRAWS; i++) {
      double millis = LateWrites.delayNanos(MEAN, random.nextDouble()) / 1e6;
      sum += millis;
      late += millis > MEAN ? 1 : 0;
    }

    assertThat(sum / DRAWS).isCloseTo(MEAN, within(MEAN / 50));
    assertThat((double) late / DRAWS).isCloseTo(Math.exp(-1), within(0.005));
  }

  @Test
  void the_smallest_draw_is_no_delay_and_the_largest_is_finite() {
    assertThat(LateWrites.delayNanos(MEAN, 0)).isZero();
    assertThat(LateWrites.delayNanos(MEAN, Math.nextDown(1.0))).isBetween(0L, 10_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 10_001, Double.NaN})
  void a_mean_out_of_range_is_refused(double mean) {
    assertThatThrownBy(() -> new LateWrites().delayBy(mean))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mean delay is " + mean + " ms, legal: 0 to 10000");
  }
}

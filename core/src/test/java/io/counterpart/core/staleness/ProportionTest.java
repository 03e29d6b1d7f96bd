package io.counterpart.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.testkit.random.SeededRandom;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SeededRandom.class)
class ProportionTest {

  /** 1 − (α/2)^(1/n) for none, and values of published tables. */
  @ParameterizedTest(name = "{0} of {1} → {2} to {3}")
  @CsvSource({
    "0, 100, 0, 0.036217",
    "100, 100, 0.963783, 1",
    "10, 100, 0.049005, 0.176223",
    "50, 100, 0.398321, 0.601679",
    "1, 10, 0.002529, 0.445016",
  })
  void bounds_are_those_of_clopper_and_pearson(long count, long trials, double low, double high) {
    Proportion proportion = new Proportion(count, trials);

    assertThat(proportion.low(0.95)).isCloseTo(low, within(1e-6));
    assertThat(proportion.high(0.95)).isCloseTo(high, within(1e-6));
  }

  @Test
  void bounds_enclose_the_share_and_narrow_with_trials(Random random) {
    double before = 1;
    for (long trials = 10; trials <= 10_000_000; trials *= 10) {
      Proportion proportion = new Proportion(trials / 10 * (1 + random.nextInt(8)), trials);
      double low = proportion.low(0.99);
      double high = proportion.high(0.99);

      assertThat(proportion.share()).isBetween(low, high);
      assertThat(high - low).isLessThan(before);
      before = high - low;
    }
  }

  @Test
  void refuses_what_is_no_share() {
    assertThatThrownBy(() -> new Proportion(2, 1)).hasMessageContaining("2 of 1");
    assertThatThrownBy(() -> new Proportion(0, 0)).hasMessageContaining("0 of 0");
    assertThatThrownBy(() -> new Proportion(1, 2).low(1)).hasMessageContaining("confidence is 1.0");
  }
}

package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class EmpiricalBernsteinTest {
  private static final double DELTA = 0.05;

  @Test
  void samples_without_variance_bound_one_percent_from_862_on() {
    assertThat(EmpiricalBernstein.leastSamples(0.01, DELTA)).isEqualTo(862);
    assertThat(EmpiricalBernstein.upper(none(862), DELTA)).isLessThanOrEqualTo(0.01);
    assertThat(EmpiricalBernstein.upper(none(861), DELTA)).isGreaterThan(0.01);
  }

  /** 8,608.4 samples, so 8,608 do not quite suffice. */
  @Test
  void samples_without_variance_bound_a_tenth_of_a_percent_from_8609_on() {
    assertThat(EmpiricalBernstein.leastSamples(0.001, DELTA)).isEqualTo(8_609);
    assertThat(EmpiricalBernstein.upper(none(8_609), DELTA)).isLessThanOrEqualTo(0.001);
    assertThat(EmpiricalBernstein.upper(none(8_608), DELTA)).isBetween(0.001, 0.0010001);
  }

  @Test
  void bounds_hold_more_often_than_promised(Random random) {
    int wrong = 0;
    for (int trial = 0; trial < 1_000; trial++) {
      double probability = random.nextDouble() * 0.1;
      long stale = random.doubles(2_000).filter(draw -> draw < probability).count();
      Moments moments = Moments.of(2_000, stale, stale);
      boolean holds =
          EmpiricalBernstein.lower(moments, DELTA) <= probability
              && probability <= EmpiricalBernstein.upper(moments, DELTA);
      wrong += holds ? 0 : 1;
    }
    assertThat(wrong).isLessThan(100);
  }

  @Test
  void nothing_is_known_from_one_sample() {
    assertThat(EmpiricalBernstein.upper(none(1), DELTA)).isEqualTo(1);
    assertThat(EmpiricalBernstein.upper(none(0), DELTA)).isEqualTo(1);
  }

  @Test
  void the_budget_is_shared_by_the_looks_of_an_hour() {
    assertThat(ErrorBudget.HOURLY.deltaOfLook()).isEqualTo(0.05 / 120);
    assertThat(EmpiricalBernstein.leastSamples(0.01, ErrorBudget.HOURLY.deltaOfLook()))
        .isEqualTo(1_979);
    assertThat(EmpiricalBernstein.leastSamples(0.001, ErrorBudget.HOURLY.deltaOfLook()))
        .isLessThan(SampledWrites.CAPACITY);
  }

  @Test
  void refuses_what_is_out_of_range() {
    assertThatThrownBy(() -> EmpiricalBernstein.leastSamples(1, DELTA))
        .hasMessage("epsilon is 1.0, legal: above 0 and below 1");
    assertThatThrownBy(() -> EmpiricalBernstein.upper(none(5), 0))
        .hasMessage("delta is 0.0, legal: above 0 and below 1");
    assertThatThrownBy(() -> new ErrorBudget(0.05, Duration.ofSeconds(10), Duration.ofSeconds(30)))
        .hasMessageContaining("look is PT30S");
    assertThatThrownBy(() -> new ErrorBudget(1, Duration.ofHours(1), Duration.ofSeconds(30)))
        .hasMessageContaining("delta is 1.0");
    assertThatThrownBy(() -> new Moments(1, 2, 0)).hasMessageContaining("mean 2.0");
  }

  private static Moments none(long samples) {
    return new Moments(samples, 0, 0);
  }
}

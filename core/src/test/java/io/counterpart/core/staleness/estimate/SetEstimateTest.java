package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.staleness.estimate.SampledWrites.GapDraw;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SetEstimateTest {
  private static final long MILLI = 1_000_000;
  private static final ErrorBudget BUDGET =
      new ErrorBudget(0.05, Duration.ofSeconds(10), Duration.ofSeconds(1));

  private final SetEstimate estimate = new SetEstimate(2, BUDGET, 0);
  private final GapDraw atOnce = new GapDraw(new FixedGap(0), new SplittableRandom(1));

  @Test
  void a_client_that_tolerates_an_age_gets_the_bounds_of_that_age() {
    for (int i = 0; i < 2_000; i++) {
      estimate.add(write(900 * MILLI, 20));
    }
    estimate.evaluate(atOnce, 999 * MILLI);
    assertThat(estimate.bounds(0)).isEmpty();

    estimate.evaluate(atOnce, 1_000 * MILLI);

    assertThat(estimate.bounds(0).orElseThrow().reads(1).mean()).isEqualTo(1);
    // the bounds of 10 ms, in which the write is still on its way
    assertThat(estimate.bounds(99).orElseThrow().reads(1).mean()).isEqualTo(1);
    assertThat(estimate.bounds(100).orElseThrow().samples()).isZero();

    estimate.evaluate(atOnce, 2_000 * MILLI);
    assertThat(estimate.bounds(100).orElseThrow().reads(1).mean()).isZero();
    assertThat(estimate.bounds(5_000).orElseThrow().reads(1).mean()).isZero();
  }

  @Test
  void an_estimate_without_samples_gets_old() {
    assertThat(estimate.newestSampleMillis(40_000 * MILLI)).isEqualTo(40_000);

    estimate.add(write(39_000 * MILLI, 0));
    estimate.evaluate(atOnce, 39_500 * MILLI);
    assertThat(estimate.newestSampleMillis(40_000 * MILLI)).isEqualTo(1_000);
  }

  @Test
  void samples_do_not_make_bounds_younger_that_nobody_evaluates() {
    estimate.add(write(900 * MILLI, 0));
    estimate.evaluate(atOnce, 1_000 * MILLI);

    estimate.add(write(40_900 * MILLI, 0));
    assertThat(estimate.newestSampleMillis(41_000 * MILLI)).isEqualTo(40_000);
  }

  private static WriteSample write(long returned, long lateMillis) {
    WriteSample write = new WriteSample(2);
    write.arrived(0, returned);
    write.arrived(1, returned + lateMillis * MILLI);
    write.returned(returned);
    return write;
  }
}

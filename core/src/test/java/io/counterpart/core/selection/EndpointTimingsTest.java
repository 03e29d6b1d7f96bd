package io.counterpart.core.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EndpointTimingsTest {
  private static final long MILLI = 1_000_000;
  private static final Offset<Double> ROUNDING = within(1e-6);

  private final EndpointTimings timings = new EndpointTimings(SelectionRules.DEFAULT, 0);
  private long now;

  @Test
  void score_is_the_worked_example() {
    Reading reading = new Reading(OptionalDouble.of(900), 300, 3, 0, 0, 0, 0);

    assertThat(reading.scoreMicros()).isCloseTo(8_700, ROUNDING);
  }

  @Test
  void mean_is_smoothed_and_the_minimum_kept() {
    reads(5, 40);
    assertThat(timings.sample(now).meanMicros()).hasValue(5_000);

    now += 100 * MILLI;
    reads(105, 40);
    Reading reading = timings.sample(now);

    // 1 − e^(−1) = 63.2 % of the way; the reads themselves take no time here
    assertThat(reading.meanMicros().orElseThrow()).isCloseTo(68_212, within(1.0));
    assertThat(reading.leastMicros()).isEqualTo(5_000);
  }

  @Test
  void mean_is_forgotten_after_ten_seconds_and_the_minimum_after_a_minute() {
    reads(5, 40);
    now += 10_001 * MILLI;
    assertThat(timings.sample(now).meanMicros()).isEmpty();
    assertThat(timings.sample(now).leastMicros()).isEqualTo(5_000);
    assertThat(timings.sample(now).isEvidence()).isFalse();

    now += 60_000 * MILLI;
    assertThat(timings.sample(now).leastMicros()).isZero();
  }

  @Test
  void one_read_is_no_mean() {
    reads(5_000, 1);
    assertThat(timings.sample(now).meanMicros()).isEmpty();

    reads(5_000, 1);
    assertThat(timings.sample(now).meanMicros()).hasValue(2_000_000);
  }

  @Test
  void silence_needs_two_waiting_reads_and_ends_with_any_answer() {
    timings.sent(now);
    now += 400 * MILLI;
    assertThat(timings.sample(now).silentNanos()).isZero();

    timings.sent(now);
    assertThat(timings.sample(now).silentNanos()).isEqualTo(400 * MILLI);

    timings.failed(400 * MILLI, now);
    timings.sent(now);
    now += 10 * MILLI;
    assertThat(timings.sample(now).silentNanos()).isEqualTo(10 * MILLI);
  }

  @Test
  void own_reads_wait_for_those_before_them_at_the_pace_at_which_reads_end() {
    timings.own(0, 1_000_000, now);
    timings.sample(now);
    for (int i = 1; i <= 20; i++) {
      now += 100 * MILLI;
      timings.own(6, 1_000_000 + 4 * i, now);
      timings.sample(now);
    }
    assertThat(timings.sample(now).ownWaitMicros()).isCloseTo(6 / 40.0 * 1e6, within(1_000.0));

    for (int i = 0; i < 20; i++) {
      now += 100 * MILLI;
      timings.own(6, 1_000_080, now);
      timings.sample(now);
    }
    assertThat(timings.sample(now).ownWaitMicros()).as("none ends").isEqualTo(2_000_000);
    assertThat(timings.sample(now).isEvidence()).as("they may be of another kind").isFalse();

    now += 1_000 * MILLI;
    timings.own(0, 1_000_200, now);
    assertThat(timings.sample(now).ownWaitMicros()).isZero();
  }

  @Test
  void lost_reads_count_as_slow_but_not_as_answers() {
    timings.sent(now);
    timings.sent(now);
    now += 5_000 * MILLI;
    timings.lost(5_000 * MILLI, now);
    timings.lost(5_000 * MILLI, now);

    Reading reading = timings.sample(now);

    assertThat(reading.meanMicros()).hasValue(2_000_000);
    assertThat(reading.answeredNanos()).isZero();
    assertThat(timings.waiting()).isZero();
  }

  @Test
  void percentile_is_within_a_fifth_and_fades() {
    reads(1, 95);
    reads(50, 5);
    assertThat(timings.percentileMicros(0.95, now)).isBetween(1_000.0, 1_200.0);
    assertThat(timings.percentileMicros(0.96, now)).isBetween(50_000.0, 60_000.0);

    now += 100_000 * MILLI;
    assertThat(timings.percentileMicros(0.95, now)).isZero();
  }

  private void reads(long millis, int count) {
    for (int i = 0; i < count; i++) {
      timings.sent(now);
      timings.answered(millis * MILLI, now);
    }
  }
}

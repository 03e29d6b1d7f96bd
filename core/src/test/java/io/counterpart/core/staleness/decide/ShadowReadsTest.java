package io.counterpart.core.staleness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShadowReadsTest {
  private static final double EPSILON = 0.01;
  private static final long SECOND = 1_000_000_000;

  private final ShadowReads shadows = new ShadowReads();

  @Test
  void one_of_two_stale_answers_stops_lowering_for_a_minute() {
    shadows.answered(false, EPSILON, 0);
    shadows.answered(true, EPSILON, 5 * SECOND);

    assertThat(shadows.isFrozen(64 * SECOND)).isTrue();
    assertThat(shadows.isFrozen(65 * SECOND)).isFalse();
    assertThat(shadows.counts()).isEqualTo(new ShadowReads.Counts(2, 1, 1));
  }

  @Test
  void stale_answers_within_the_bound_do_not() {
    for (int i = 1; i <= 50_000; i++) {
      shadows.answered(i % 100 == 0, EPSILON, i);
      assertThat(shadows.isFrozen(i)).as("after %d", i).isFalse();
    }
  }

  @Test
  void stale_answers_of_twice_the_bound_do_whenever_they_begin() {
    for (int i = 0; i < 30_000; i++) {
      shadows.answered(false, EPSILON, 0);
    }
    int stale = 0;
    while (!shadows.isFrozen(0)) {
      shadows.answered(++stale % 50 == 0, EPSILON, 0);
    }
    assertThat(stale).isBetween(1_000, 12_000);
  }

  @Test
  void half_a_percent_of_lowered_reads_is_repeated() {
    assertThat(ShadowReads.isChosen(0.0049)).isTrue();
    assertThat(ShadowReads.isChosen(0.005)).isFalse();
  }
}

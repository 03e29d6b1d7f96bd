package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencySummaryTest {

  @Test
  void keeps_the_whole_histogram() {
    Histogram histogram = new Histogram(600_000_000L, 3);
    for (int micros = 1; micros <= 1000; micros++) {
      histogram.recordValue(micros);
    }

    LatencySummary summary = LatencySummary.of(histogram);

    assertThat(summary.decode()).isEqualTo(histogram);
    assertThat(summary.count()).isEqualTo(1000);
    assertThat(summary.p99Micros()).isEqualTo(990);
    assertThat(summary.withoutHistogram().meanMicros()).isEqualTo(500.5);
  }

  @Test
  void says_what_is_no_histogram() {
    assertThatThrownBy(() -> new LatencySummary(1, 1, 1, 1, 1, "AAAAAAAAAAAA").decode())
        .isInstanceOf(IllegalArgumentException.class);
  }
}

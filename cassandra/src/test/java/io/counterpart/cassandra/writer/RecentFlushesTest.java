package io.counterpart.cassandra.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentFlushesTest {
  private final RecentFlushes flushes = new RecentFlushes();

  @Test
  void knows_a_large_flush_at_once_after_small_ones() {
    assertThat(flushes.largestBytes()).isZero();

    flushes.add(10);
    flushes.add(5_000);

    assertThat(flushes.largestBytes()).isEqualTo(5_000);
  }

  @Test
  void forgets_a_large_flush_after_eight_small_ones() {
    flushes.add(5_000);
    for (int i = 0; i < 7; i++) {
      flushes.add(10);
    }
    assertThat(flushes.largestBytes()).isEqualTo(5_000);

    flushes.add(10);

    assertThat(flushes.largestBytes()).isEqualTo(10);
  }
}

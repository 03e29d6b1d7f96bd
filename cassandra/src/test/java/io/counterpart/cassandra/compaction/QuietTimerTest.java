package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class QuietTimerTest {
  private final List<Long> delaysMillis = new ArrayList<>();
  private final List<CompletableFuture<?>> wakeUps = new ArrayList<>();
  private long nowNanos = Long.MAX_VALUE - 1000;
  private final QuietTimer timer = new QuietTimer(this::schedule, () -> nowNanos);

  @Test
  void keeps_the_earlier_of_two_wake_ups() {
    timer.wakeAfter(Duration.ofSeconds(60));
    timer.wakeAfter(Duration.ofSeconds(10));
    timer.wakeAfter(Duration.ofSeconds(30));

    assertThat(delaysMillis).containsExactly(60_001L, 10_001L);
    assertThat(wakeUps.get(0)).isCancelled();
    assertThat(wakeUps.get(1)).isNotCancelled();
  }

  @Test
  void wakes_again_once_the_time_has_come() {
    timer.wakeAfter(Duration.ofSeconds(10));
    nowNanos += Duration.ofSeconds(11).toNanos();

    timer.wakeAfter(Duration.ofSeconds(60));

    assertThat(delaysMillis).containsExactly(10_001L, 60_001L);
  }

  @Test
  void wakes_nobody_after_it_is_cancelled() {
    timer.wakeAfter(Duration.ofSeconds(10));

    timer.cancel();

    assertThat(wakeUps.get(0)).isCancelled();
  }

  @Test
  void has_no_wake_up_that_would_hold_a_dropped_table_for_long() {
    timer.wakeAfter(Duration.ofDays(365));
    nowNanos += Duration.ofMinutes(2).toNanos();
    timer.wakeAfter(Duration.ofDays(365).minusMinutes(2));

    assertThat(delaysMillis).containsExactly(120_001L, 120_001L);
  }

  private CompletableFuture<?> schedule(long delayMillis) {
    delaysMillis.add(delayMillis);
    CompletableFuture<?> wakeUp = new CompletableFuture<>();
    wakeUps.add(wakeUp);
    return wakeUp;
  }
}

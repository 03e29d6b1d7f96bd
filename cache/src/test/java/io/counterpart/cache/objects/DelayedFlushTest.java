package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The times of {@code flush_all}, as in memcached 1.6.18. */
class DelayedFlushTest {
  private static final int NOW = 1_700_000_000;

  private final EmbeddedChannel time = new EmbeddedChannel();
  private final DelayedFlush flush = new DelayedFlush(time.eventLoop(), () -> NOW);
  private int flushed;

  DelayedFlushTest() {
    time.freezeTime();
  }

  private boolean isNow(int exptime) {
    return flush.isNow(exptime, () -> flushed++);
  }

  private void pass(int seconds) {
    time.advanceTimeBy(seconds, TimeUnit.SECONDS);
    time.runScheduledPendingTasks();
  }

  @Test
  void nothing_a_negative_number_and_a_second_are_now() {
    assertThat(isNow(0)).isTrue();
    assertThat(isNow(-1)).isTrue();
    assertThat(isNow(1)).isTrue();
    pass(100);
    assertThat(flushed).isZero();
  }

  @Test
  void a_delay_ends_before_its_last_second() {
    assertThat(isNow(10)).isFalse();
    pass(8);
    assertThat(flushed).isZero();
    pass(1);
    assertThat(flushed).isOne();
  }

  @Test
  void above_thirty_days_it_is_a_date() {
    assertThat(isNow(NOW + 5)).isFalse();
    pass(4);
    assertThat(flushed).isOne();
    assertThat(isNow(NOW - 5)).as("passed").isTrue();
    assertThat(isNow(NOW - 62)).as("before the start").isFalse();
    pass(1000);
    assertThat(flushed).isOne();
  }

  @Test
  void a_later_command_replaces_the_one_before() {
    for (int i = 0; i < 1000; i++) {
      assertThat(isNow(100 + i)).isFalse();
    }
    assertThat(isNow(10)).isFalse();
    pass(2000);
    assertThat(flushed).isOne();

    assertThat(isNow(10)).isFalse();
    assertThat(isNow(0)).isTrue();
    pass(100);
    assertThat(flushed).isOne();
  }
}

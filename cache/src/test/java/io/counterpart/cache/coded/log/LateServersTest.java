package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LateServersTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000);
  private final LateServers<String> late = new LateServers<>(clock::get);

  @Test
  void an_answer_ends_it() {
    late.add("one");
    late.add("other");
    late.answered("one");

    assertThat(late.contains("one")).isFalse();
    assertThat(late.contains("other")).isTrue();
  }

  /** A server that nothing was sent to has nothing to answer. */
  @Test
  void it_ends_without_an_answer_too() {
    late.add("one");
    pass(Duration.ofMillis(999));
    assertThat(late.contains("one")).isTrue();

    pass(Duration.ofMillis(1));
    assertThat(late.contains("one")).isFalse();
  }

  @Test
  void it_begins_anew_each_time() {
    late.add("one");
    pass(Duration.ofMillis(800));
    late.add("one");
    pass(Duration.ofMillis(800));

    assertThat(late.contains("one")).isTrue();
  }

  /** It answers, but one item after the other, and what it is sent waits behind them. */
  @Test
  void it_lasts_while_items_that_nobody_needs_are_under_way() {
    late.beginUnneeded("one");
    late.beginUnneeded("one");
    late.answered("one");
    late.endUnneeded("one");
    pass(Duration.ofSeconds(2));
    assertThat(late.contains("one")).isTrue();

    late.endUnneeded("one");
    assertThat(late.contains("one")).isFalse();
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }
}

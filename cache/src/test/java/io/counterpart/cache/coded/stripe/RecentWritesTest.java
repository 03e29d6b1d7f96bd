package io.counterpart.cache.coded.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentWritesTest {
  private static final int VALUE_BYTES = 2000;

  private final AtomicLong losses = new AtomicLong();
  private final RecentWrites<Integer, byte[]> recent =
      new RecentWrites<>(5000, bytes -> bytes.length, losses::get);

  @Test
  void has_what_was_written_last() {
    byte[] value = value();
    recent.put(1, value());
    recent.put(1, value);

    assertThat(recent.get(1)).isSameAs(value);
    assertThat(recent.get(2)).isNull();
  }

  @Test
  void drops_the_least_recently_used_beyond_its_bytes() {
    recent.put(1, value());
    recent.put(2, value());
    recent.get(1);
    recent.put(3, value());

    assertThat(recent.get(2)).isNull();
    assertThat(recent.get(1)).isNotNull();
    assertThat(recent.get(3)).isNotNull();
  }

  @Test
  void counts_the_bytes_of_what_is_dropped_and_replaced_once() {
    for (int i = 0; i < 100; i++) {
      recent.put(1, value());
      recent.put(2, value());
      recent.remove(2);
      recent.remove(2);
    }
    recent.put(3, value());

    assertThat(recent.get(1)).isNotNull();
    assertThat(recent.get(3)).isNotNull();
  }

  @Test
  void a_lost_server_may_have_taken_any_of_it() {
    recent.put(1, value());
    losses.incrementAndGet();

    assertThat(recent.get(1)).isNull();
  }

  @Test
  void keeps_nothing_that_is_larger_than_itself() {
    recent.put(1, new byte[6000]);

    assertThat(recent.get(1)).isNull();
  }

  private static byte[] value() {
    return new byte[VALUE_BYTES];
  }
}

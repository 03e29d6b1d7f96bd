package io.counterpart.cache.coded;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.RecentParity.Parity;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentParityTest {
  private static final int ITEM_BYTES = 1000;

  private final AtomicLong losses = new AtomicLong();
  private final RecentParity recent = new RecentParity(5000, losses::get);

  @Test
  void has_what_was_folded_last() {
    Parity parity = parity(7);
    recent.put(1, parity(6));
    recent.put(1, parity);

    assertThat(recent.get(1)).isSameAs(parity);
    assertThat(recent.get(2)).isNull();
  }

  @Test
  void drops_the_least_recently_folded_stripe_beyond_its_bytes() {
    recent.put(1, parity(1));
    recent.put(2, parity(2));
    recent.get(1);
    recent.put(3, parity(3));

    assertThat(recent.get(2)).isNull();
    assertThat(recent.get(1)).isNotNull();
    assertThat(recent.get(3)).isNotNull();
  }

  @Test
  void counts_the_bytes_of_what_is_dropped_and_replaced_once() {
    for (int i = 0; i < 100; i++) {
      recent.put(1, parity(i));
      recent.put(2, parity(i));
      recent.remove(2);
      recent.remove(2);
    }
    recent.put(3, parity(3));

    assertThat(recent.get(1)).isNotNull();
    assertThat(recent.get(3)).isNotNull();
  }

  @Test
  void a_lost_server_may_have_taken_any_item() {
    recent.put(1, parity(1));
    losses.incrementAndGet();

    assertThat(recent.get(1)).isNull();
  }

  @Test
  void keeps_nothing_that_is_larger_than_itself() {
    recent.put(1, new Parity(new byte[][] {new byte[6000]}, 1));

    assertThat(recent.get(1)).isNull();
  }

  private static Parity parity(long folded) {
    return new Parity(new byte[][] {new byte[ITEM_BYTES], new byte[ITEM_BYTES]}, folded);
  }
}

package io.counterpart.cache.ownership;

import static io.counterpart.cache.ownership.TierLease.DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The lease of a tier with five rings, three of which suffice. */
class TierLeaseTest {
  private long nowNanos = Long.MAX_VALUE - 50; // clocks may wrap
  private List<Long> left = List.of(100L, 100L, 100L, 100L, 100L);
  private final TierLease lease = new TierLease(2, () -> nowNanos, () -> left);

  @Test
  void two_rings_without_a_lease_stop_nobody() {
    left = List.of(100L, -5L, 100L, 0L, 100L);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void with_three_another_owner_may_have_the_others() {
    left = List.of(100L, -5L, DOWN, 0L, 100L);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void it_ends_with_the_third_ring() {
    left = List.of(10L, 90L, 60L, 30L, 100L);
    assertThat(lease.isHeld()).isTrue();

    left = List.of(-1L, -1L, -1L, -1L, -1L);
    nowNanos += 59;
    assertThat(lease.isHeld()).as("as it was known").isTrue();
    nowNanos += 1;
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void a_lost_server_is_noticed_at_once() {
    assertThat(lease.isHeld()).isTrue();

    left = List.of(DOWN, -1L, -1L, 100L, 100L);
    lease.forget();

    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void nobody_waits_while_too_many_rings_are_down() {
    left = List.of(DOWN, DOWN, DOWN, -1L, 100L);
    assertThat(lease.isHeld()).isTrue();
  }
}

package io.counterpart.cache.coded.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.ownership.CopyMembership;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A copy that the owner looks at each 50 ms. */
class FollowingCopyTest {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long AHEAD = 10_000_000;

  private final FollowingCopy copy = new FollowingCopy(1);
  private long now = System.nanoTime();
  private long local = AHEAD;

  private CopyMembership.Copy look() {
    now += LOOK_NANOS;
    copy.heardNanos = now;
    return copy.seen(now, true, local, local);
  }

  @Test
  void is_late_if_it_advances_by_a_byte_now_and_then() {
    copy.await(0, now);
    long late = 0;
    for (int i = 1; i <= 40; i++) {
      if (i % 18 == 0) {
        copy.durable++;
        local++;
      }
      late = look().lateNanos();
    }

    assertThat(late).isGreaterThan(CopyMembership.PATIENCE.toNanos());
  }

  @Test
  void is_in_time_if_it_has_what_the_owner_had_half_a_second_ago() {
    copy.await(0, now);
    for (int i = 0; i < 200; i++) {
      local += 1000;
      copy.durable = local - 10_000;
      assertThat(look().lateNanos()).isLessThan(CopyMembership.PATIENCE.toNanos());
    }
  }

  /** Its messages are still unread in the owner's socket. */
  @Test
  void is_not_late_because_the_owner_stood_still() {
    copy.await(0, now);
    look();
    now += TimeUnit.SECONDS.toNanos(5);

    CopyMembership.Copy seen = copy.seen(now, true, local, local);

    assertThat(seen.silentNanos()).isZero();
    assertThat(seen.lateNanos()).isZero();
  }

  @Test
  void waits_longer_each_time_that_it_is_dropped_soon() {
    assertThat(secondsUntilAdmissible()).isZero();
    for (int expected : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      copy.await(0, now);
      copy.dropped(now);
      copy.letGo();
      assertThat(secondsUntilAdmissible()).isEqualTo(expected);
    }

    copy.await(0, now);
    now += TimeUnit.SECONDS.toNanos(11);
    copy.dropped(now);
    copy.letGo();
    assertThat(secondsUntilAdmissible()).isZero();
  }

  private long secondsUntilAdmissible() {
    copy.durable = local;
    long begin = now;
    while (!copy.seen(now, false, local, local).hasAll()) {
      now += LOOK_NANOS;
    }
    return Math.round((now - begin) / 1e9);
  }
}

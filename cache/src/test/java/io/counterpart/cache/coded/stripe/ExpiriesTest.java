package io.counterpart.cache.coded.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.random.SeededRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class ExpiriesTest {
  private static final long START = 1_800_000_000;

  private long now = START;
  private final Expiries expiries = new Expiries(() -> now);

  @Test
  void tells_each_once_when_it_has_expired_and_not_much_later(Random random) {
    Map<Long, Long> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long hash = random.nextLong();
      int left = 1 + random.nextInt(1 << 1 + random.nextInt(16));
      expected.put(hash, now + left);
      expiries.add(hash, (int) (now + left));
    }

    for (; !expected.isEmpty(); now++) {
      assertThat(now).isLessThan(START + (1 << 18));
      for (long[] due = expiries.takeExpired(); due.length > 0; due = expiries.takeExpired()) {
        for (long hash : due) {
          long expiry = expected.remove(hash);
          long late = Math.max(2, (expiry - START) / 16);
          assertThat(now).isBetween(expiry, expiry + late);
        }
      }
    }
    assertThat(expiries.size()).isZero();
    assertThat(expiries.takeForgotten()).isFalse();
  }

  @Test
  void one_that_could_not_be_deleted_is_told_again_later() {
    expiries.add(7, (int) (START + 1));
    now = START + 10;
    assertThat(expiries.takeExpired()).containsExactly(7);

    expiries.addAgain(7);

    assertThat(expiries.takeExpired()).isEmpty();
    now += 4;
    assertThat(expiries.takeExpired()).containsExactly(7);
  }

  @Test
  void a_key_that_is_noted_often_is_told_once_for_each_time() {
    for (int i = 0; i < 100; i++) {
      expiries.add(7, (int) (START + 1));
    }
    now = START + 10;

    assertThat(expiries.takeExpired()).containsExactly(7);
    assertThat(expiries.takeExpired()).isEmpty();
  }

  @Test
  void what_never_expires_is_not_noted() {
    expiries.add(7, 0);

    assertThat(expiries.size()).isZero();
  }

  @Test
  void beyond_the_bound_the_last_to_expire_are_forgotten() {
    Expiries few = new Expiries(() -> now, 3);
    few.add(1, (int) (START + 10));
    few.add(2, (int) (START + 1000));
    few.add(3, (int) (START + 20));
    assertThat(few.takeForgotten()).isFalse();

    few.add(4, (int) (START + 30));
    few.add(5, (int) (START + 5000));

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.takeForgotten()).isTrue();
    assertThat(few.takeForgotten()).isFalse();
    now = START + 10_000;
    long[] first = few.takeExpired();
    long[] second = few.takeExpired();
    long[] third = few.takeExpired();
    assertThat(Arrays.asList(first[0], second[0], third[0])).containsExactly(1L, 3L, 4L);
  }

  /** Seconds since 1970 do not fit into 31 bits from 2038 on. */
  @Test
  void times_beyond_2038_are_unsigned() {
    expiries.add(7, (int) 4_000_000_000L);
    now = 3_000_000_000L;
    assertThat(expiries.takeExpired()).isEmpty();

    now = 4_300_000_000L;
    assertThat(expiries.takeExpired()).containsExactly(7);
  }
}

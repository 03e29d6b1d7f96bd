package io.counterpart.cache.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.stripe.RecordChange.Decision;
import io.counterpart.cache.coded.stripe.RecordChange.Keep;
import io.counterpart.cache.coded.stripe.RecordChange.Write;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** Values that a client writes by {@code ms} with the flags C and I. */
class ChangesTest {
  private static final int NOW = 1_000_000_000;
  private static final int VERSION = 10;

  private static Changes.Store store(long cas) {
    return new Changes.Store(
        new StoreCommand(
            Key.of("k"), StoreMode.CAS, 7, 900, cas, true, Unpooled.copiedBuffer("new", US_ASCII)));
  }

  private static Decision decide(Changes<?> change, int marks) {
    return change.decide(
        new StoredRecord(5, NOW + 30, marks, VERSION, Unpooled.copiedBuffer("old", US_ASCII)), NOW);
  }

  @Test
  void an_older_version_leaves_the_object_its_time_and_its_token() {
    for (int marks : new int[] {0, StoredRecord.STALE, StoredRecord.TOKEN_SENT, 3}) {
      Write write = (Write) decide(store(VERSION - 1), marks);

      assertThat(write.expirySeconds()).isEqualTo(NOW + 30);
      assertThat(write.marks()).isEqualTo(marks | StoredRecord.STALE);
      assertThat(write.flags()).isEqualTo(7);
    }
  }

  @Test
  void the_present_version_gives_the_object_another_time_and_takes_its_marks() {
    Write write = (Write) decide(store(VERSION), StoredRecord.STALE | StoredRecord.TOKEN_SENT);

    assertThat(write.expirySeconds()).isEqualTo(NOW + 900);
    assertThat(write.marks()).isZero();
  }

  @Test
  void version_0_is_no_older_one_and_neither_is_a_younger_one() {
    for (long cas : new long[] {0, VERSION + 1}) {
      Changes.Store change = store(cas);

      assertThat(decide(change, StoredRecord.STALE)).isInstanceOf(Keep.class);
      assertThat(change.outcome(Status.DONE, 0).status()).isEqualTo(Status.EXISTS);
    }
  }
}

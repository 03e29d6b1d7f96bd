package io.counterpart.cache.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.counterpart.testkit.random.SeededRandom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values on both event loops: no buffer is used by both, and each is released. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class LoopCrossingValuesTest extends CrossingFixture {
  private static final int VALUES = 200;
  private static final int LARGEST_BYTES = 40_000;

  /** Where values are. */
  private enum Place {
    POOLED_DIRECT,
    POOLED_HEAP,
    ARRAY_EACH
  }

  /** Values of random lengths, in most places as parts of one buffer. Belongs to one loop. */
  private static final class Parts {
    private final ByteBuf whole;
    private final List<ByteBuf> parts = new ArrayList<>();
    private final List<byte[]> originals = new ArrayList<>();

    Parts(Random random, Place place) {
      int capacity = VALUES * LARGEST_BYTES;
      PooledByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
      whole =
          place == Place.POOLED_DIRECT ? pool.directBuffer(capacity) : pool.heapBuffer(capacity);
      for (int i = 0; i < VALUES; i++) {
        byte[] value = new byte[i == 0 ? 0 : random.nextInt(LARGEST_BYTES)];
        random.nextBytes(value);
        originals.add(value);
        whole.writeBytes(value);
        parts.add(
            place == Place.ARRAY_EACH
                ? Unpooled.wrappedBuffer(value.clone())
                : whole.retainedSlice(whole.writerIndex() - value.length, value.length));
      }
    }

    ByteBuf part(int number) {
      return parts.get(number);
    }

    void overwrite(int number) {
      ByteBuf part = part(number);
      part.setZero(0, part.capacity());
    }

    void release() {
      for (ByteBuf part : parts) {
        assertThat(part.refCnt()).as("references to a part: the test's own").isOne();
        part.release();
      }
      assertThat(whole.refCnt()).isOne();
      assertThat(whole.release()).isTrue();
    }
  }

  private static void assertEqual(List<ByteBuf> arrived, List<byte[]> originals) {
    assertThat(arrived).hasSameSizeAs(originals);
    for (int i = 0; i < originals.size(); i++) {
      assertThat(ByteBufUtil.getBytes(arrived.get(i))).isEqualTo(originals.get(i));
      assertThat(arrived.get(i).refCnt()).as("references: the test's own").isOne();
      arrived.get(i).release();
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void a_stored_value_is_a_copy_that_lives_until_the_shard_has_no_use_for_it(
      Place place, Random random) throws Exception {
    List<ByteBuf> kept = new ArrayList<>();
    NotingTier shard =
        new NotingTier(Runnable::run) {
          @Override
          public void store(StoreCommand command, Consumer<WriteOutcome> done) {
            kept.add(command.value().retain());
            away.execute(() -> done.accept(new WriteOutcome(Status.DONE, 1)));
          }
        };
    LoopCrossing crossing = crossing(home, shard, memory);
    Parts sent = new Parts(random, place);
    CountDownLatch left = new CountDownLatch(VALUES);

    run(
        home,
        () -> {
          for (int i = 0; i < VALUES; i++) {
            int number = i;
            crossing.store(
                set("k", sent.part(i)),
                outcome -> {
                  sent.overwrite(number);
                  left.countDown();
                });
          }
        });

    assertThat(left.await(40, TimeUnit.SECONDS)).isTrue();
    settle();
    run(away, () -> assertEqual(kept, sent.originals));
    run(home, sent::release);
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void a_value_that_is_found_is_a_copy_for_the_client(Place place, Random random) throws Exception {
    Parts stored = new Parts(random, place);
    NotingTier shard =
        new NotingTier(Runnable::run) {
          @Override
          public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
            int number = Integer.parseInt(key.toString());
            done.accept(NotingTier.found(stored.part(number).retain()));
            stored.overwrite(number);
          }
        };
    LoopCrossing crossing = crossing(home, shard, memory);
    List<ByteBuf> found = new ArrayList<>();
    CountDownLatch left = new CountDownLatch(VALUES);

    run(
        home,
        () -> {
          for (int i = 0; i < VALUES; i++) {
            crossing.get(
                Key.of(Integer.toString(i)),
                GetOptions.PLAIN,
                outcome -> {
                  found.add(((GetOutcome.Found) outcome).value());
                  left.countDown();
                });
          }
        });

    assertThat(left.await(40, TimeUnit.SECONDS)).isTrue();
    settle();
    run(home, () -> assertEqual(found, stored.originals));
    run(away, stored::release);
  }

  @Test
  void a_value_that_is_refused_is_the_senders_alone(Random random) throws Exception {
    LoopCrossing crossing = crossing(home, new NotingTier(Runnable::run), memory);
    Parts sent = new Parts(random, Place.POOLED_DIRECT);
    AtomicInteger refused = new AtomicInteger();
    crossing.refuse();

    run(
        home,
        () -> {
          for (int i = 0; i < VALUES; i++) {
            crossing.store(set("k", sent.part(i)), outcome -> refused.incrementAndGet());
          }
        });
    settle();

    assertThat(refused.get()).isEqualTo(VALUES);
    run(home, sent::release);
  }
}

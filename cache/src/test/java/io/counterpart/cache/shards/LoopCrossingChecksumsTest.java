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
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checksums on both event loops at once, also of the values that cross. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class LoopCrossingChecksumsTest extends CrossingFixture {
  /**
   * Values with their checksums: parts of one buffer, and buffers of their own. Computes checksums
   * as the formats do, by a view that a buffer keeps for its next use. Belongs to one loop.
   */
  private static final class CheckedValues {
    private static final int VALUES = 4;
    private static final int BYTES = 64;
    private static final int LOOKS = 200;

    private final ByteBuf whole = PooledByteBufAllocator.DEFAULT.directBuffer(VALUES * BYTES);
    private final List<ByteBuf> values = new ArrayList<>();
    private final List<Long> checksums = new ArrayList<>();

    CheckedValues(Random random) {
      for (int i = 0; i < VALUES; i++) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        whole.writeBytes(bytes);
        values.add(
            i % 2 == 0
                ? whole.retainedSlice(i * BYTES, BYTES)
                : PooledByteBufAllocator.DEFAULT.directBuffer(BYTES).writeBytes(bytes));
        checksums.add(checksum(values.get(i)));
      }
    }

    static long checksum(ByteBuf value) {
      CRC32C crc = new CRC32C();
      crc.update(value.internalNioBuffer(value.readerIndex(), value.readableBytes()));
      return crc.getValue();
    }

    /** Looks often, because a thread of the other loop may interfere only at one moment. */
    static boolean isRight(ByteBuf value, long expected) {
      try {
        for (int i = 0; i < LOOKS; i++) {
          if (checksum(value) != expected) {
            return false;
          }
        }
        return true;
      } catch (IllegalArgumentException interfered) {
        return false; // the other loop has changed the bounds of the view
      }
    }

    void release() {
      values.forEach(value -> assertThat(value.refCnt()).isOne());
      values.forEach(ByteBuf::release);
      assertThat(whole.refCnt()).isOne();
      assertThat(whole.release()).isTrue();
    }
  }

  private final AtomicInteger wrong = new AtomicInteger();
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  private void count(boolean isRight) {
    wrong.addAndGet(isRight ? 0 : 1);
  }

  /** Uses an event loop's own values all the time. */
  private void look(EventLoop loop, CheckedValues own) {
    for (int number = 0; number < CheckedValues.VALUES; number++) {
      count(CheckedValues.isRight(own.values.get(number), own.checksums.get(number)));
    }
    if (!end.isDone() && !loop.isShuttingDown()) {
      loop.execute(() -> look(loop, own));
    }
  }

  @Test
  void checksums_are_right_although_both_loops_use_what_crosses(Random random) throws Exception {
    CheckedValues stored = new CheckedValues(random);
    CheckedValues sent = new CheckedValues(random);
    NotingTier shard =
        new NotingTier(Runnable::run) {
          @Override
          public void store(StoreCommand command, Consumer<WriteOutcome> done) {
            int number = Integer.parseInt(command.key().toString());
            count(CheckedValues.isRight(command.value(), sent.checksums.get(number)));
            done.accept(new WriteOutcome(Status.DONE, 1));
          }

          @Override
          public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
            int number = Integer.parseInt(key.toString());
            done.accept(NotingTier.found(stored.values.get(number).retain()));
          }
        };
    Client client = new Client(crossing(home, shard, memory), sent, stored.checksums);

    home.execute(() -> look(home, sent));
    away.execute(() -> look(away, stored));
    run(home, client::send);
    end.get(40, TimeUnit.SECONDS);
    settle();

    assertThat(ends).isEmpty();
    assertThat(wrong.get()).as("wrong checksums").isZero();
    run(home, sent::release);
    run(away, stored::release);
  }

  /** Stores all values and reads all, again and again. */
  private final class Client {
    private static final int TURNS = 300;

    private final LoopCrossing crossing;
    private final CheckedValues sent;
    private final List<Long> stored;
    private int turns;
    private int underWay;

    Client(LoopCrossing crossing, CheckedValues sent, List<Long> stored) {
      this.crossing = crossing;
      this.sent = sent;
      this.stored = stored;
    }

    void send() {
      turns++;
      for (int i = 0; i < CheckedValues.VALUES; i++) {
        int number = i;
        Key key = Key.of(Integer.toString(number));
        underWay += 2;
        crossing.store(set(key.toString(), sent.values.get(number)), outcome -> ended());
        crossing.get(
            key,
            GetOptions.PLAIN,
            outcome -> {
              ByteBuf value = ((GetOutcome.Found) outcome).value();
              count(CheckedValues.isRight(value, stored.get(number)));
              value.release();
              ended();
            });
      }
    }

    private void ended() {
      underWay--;
      if (underWay == 0 && turns == TURNS) {
        end.complete(null);
      } else if (underWay == 0) {
        send();
      }
    }
  }
}

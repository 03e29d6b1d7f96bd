package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.index.StripeState;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves the parity items of a stripe to their new servers after a change of servers: copies, then
 * deletes. Belongs to the shard's event loop.
 */
public final class ParityMoves {
  private final Shard shard;
  private final ParityTally tally;

  /**
   * The outcome for a stripe's parity.
   *
   * @param isComplete whether all existing items are on their servers
   * @param isLacking whether a sealed stripe lacks an item
   */
  public record Result(boolean isComplete, boolean isLacking) {}

  public ParityMoves(Shard shard, ParityTally tally) {
    this.shard = shard;
    this.tally = tally;
  }

  /** Begins for a stripe, which nobody may write into until it is done. */
  public void begin(int stripe, Consumer<Result> done) {
    int[] moving =
        IntStream.range(0, shard.code().parityCount())
            .filter(i -> shard.placement().oldParityServer(stripe, i) != null)
            .toArray();
    if (moving.length == 0) {
      done.accept(new Result(true, false));
    } else {
      new OfStripe(stripe, moving.length, done).begin(moving);
    }
  }

  /** The moves of one stripe. */
  private final class OfStripe {
    private final int stripe;
    private final Countdown countdown;
    private boolean isComplete = true;
    private boolean isLacking;

    OfStripe(int stripe, int count, Consumer<Result> done) {
      this.stripe = stripe;
      this.countdown = new Countdown(count, () -> done.accept(new Result(isComplete, isLacking)));
    }

    void begin(int[] moving) {
      for (int parity : moving) {
        move(parity, countdown::oneLess);
      }
    }

    private void move(int parity, Runnable next) {
      shard.items().getParity(stripe, parity, item -> bring(parity, item, next));
    }

    private void bring(int parity, @Nullable ByteBuf item, Runnable next) {
      if (item == null) {
        // an open stripe has none; else a server has lost it
        isLacking |= shard.stripes().state(stripe) == StripeState.SEALED;
        next.run();
        return;
      }
      if (isGone()) {
        item.release();
        next.run();
        return;
      }
      int bytes = item.readableBytes();
      tally.read().add(bytes);
      shard
          .items()
          .moveParity(
              stripe,
              parity,
              item,
              stored -> {
                if (stored == Stored.DONE) {
                  tally.written().add(bytes);
                } else {
                  isComplete = false;
                }
                next.run();
              });
      item.release();
    }

    /** Whether a client has deleted everything meanwhile. */
    private boolean isGone() {
      return shard.stripes().state(stripe) == StripeState.FREE;
    }
  }
}

package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;
import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves the parity items of a stripe to their new servers after a change of servers: copies, then
 * deletes. It avoids an intermediate state with two items on one server where an order without one
 * exists. Belongs to the shard's event loop.
 */
final class ParityMoves {
  private final Shard shard;
  private final ParityTally tally;

  /**
   * What became of a stripe's parity.
   *
   * @param isComplete whether all that there was is on its server
   * @param isLacking whether a sealed stripe lacks some
   */
  record Result(boolean isComplete, boolean isLacking) {}

  ParityMoves(Shard shard, ParityTally tally) {
    this.shard = shard;
    this.tally = tally;
  }

  /** Begins for a stripe, into which nobody writes until it is done. */
  void begin(int stripe, Consumer<Result> done) {
    Set<Integer> moving = new TreeSet<>();
    for (int i = 0; i < shard.code().parityCount(); i++) {
      if (shard.placement().oldParityServer(stripe, i) != null) {
        moving.add(i);
      }
    }
    if (moving.isEmpty()) {
      done.accept(new Result(true, false));
    } else {
      new OfStripe(stripe, moving, done).moveNext();
    }
  }

  /** One stripe. */
  private final class OfStripe {
    private final int stripe;
    private final Set<Integer> left;
    private final Consumer<Result> done;
    private boolean isComplete = true;
    private boolean isLacking;

    OfStripe(int stripe, Set<Integer> left, Consumer<Result> done) {
      this.stripe = stripe;
      this.left = left;
      this.done = done;
    }

    /** What is to go to a server that another one is about to leave waits for that. */
    void moveNext() {
      if (left.isEmpty() || isGone()) {
        done.accept(new Result(isComplete, isLacking));
        return;
      }
      Set<ServerLink> occupied = new HashSet<>();
      left.forEach(i -> occupied.add(shard.placement().oldParityServer(stripe, i)));
      Set<Integer> chosen = new TreeSet<>(left);
      chosen.removeIf(i -> occupied.contains(shard.placement().parityServer(stripe, i)));
      if (chosen.isEmpty()) {
        chosen.addAll(left);
      }
      left.removeAll(chosen);
      Countdown countdown = new Countdown(chosen.size(), this::moveNext);
      chosen.forEach(i -> move(i, countdown::oneLess));
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

    /** A client may have wanted everything gone. */
    private boolean isGone() {
      return shard.stripes().state(stripe) == StripeState.FREE;
    }
  }
}

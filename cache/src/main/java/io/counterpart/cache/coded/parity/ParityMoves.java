package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
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

  /** The moves of one stripe. */
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

    /**
     * Moves the next item. An item that goes to a server which another item is about to leave waits
     * for that one.
     */
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
        if (shard.stripes().state(stripe) == StripeState.SEALED) {
          isLacking = true;
          isComplete &= !shard.placement().isAnyAway();
        }
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

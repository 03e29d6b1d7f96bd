package io.counterpart.cache.coded;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Empties sealed stripes less than half of whose slots have an object: their objects get free slots
 * of others of them, then they are freed, and with them their parity. One slot class is gone
 * through at a time, one stripe at a time, and as long as a stripe takes, nothing is done after it.
 *
 * <p>It ends by itself: no stripe is opened for it, and a stripe is begun with only if all of its
 * objects have room, in stripes that are not emptied in the same pass. A class is looked at again
 * when clients have deleted objects of its stripes. Belongs to the shard's event loop.
 */
final class Emptying {
  private static final int LOOK_MILLIS = 200;
  private static final int RETRY_MILLIS = 5000;
  private static final int LEAST_PAUSE_NANOS = 1_000_000;

  private final Parts parts;
  private final Shard shard;
  private final Writes writes;
  private final EventLoop loop;
  private final BooleanSupplier mayWork;
  private boolean ended;

  /**
   * @param mayWork whether nothing goes on that it should not be beside
   */
  Emptying(Parts parts, Writes writes, EventLoop loop, BooleanSupplier mayWork) {
    this.parts = parts;
    this.shard = parts.shard();
    this.writes = writes;
    this.loop = loop;
    this.mayWork = mayWork;
  }

  void begin() {
    lookIn(LOOK_MILLIS);
  }

  void end() {
    ended = true;
  }

  private void lookIn(int millis) {
    loop.schedule(this::look, millis, TimeUnit.MILLISECONDS);
  }

  private void look() {
    if (ended) {
      return;
    }
    int slotClass = mayWork.getAsBoolean() ? shard.sparse().takeDue() : SparseStripes.NONE;
    if (slotClass == SparseStripes.NONE) {
      lookIn(LOOK_MILLIS);
    } else {
      new Pass(slotClass).next(0);
    }
  }

  /** Goes once through the sparse stripes of a class. */
  private final class Pass {
    private final int slotClass;
    private final Receivers receivers;

    Pass(int slotClass) {
      this.slotClass = slotClass;
      this.receivers = new Receivers(shard, slotClass);
    }

    /** Empties the first stripe from a number on that can be. */
    void next(int from) {
      if (ended) {
        return;
      }
      if (!mayWork.getAsBoolean()) {
        shard.sparse().putBack(slotClass);
        lookIn(LOOK_MILLIS);
        return;
      }
      int stripe = shard.sparse().next(slotClass, from);
      while (stripe != SparseStripes.NONE && receivers.contains(stripe)) {
        stripe = shard.sparse().next(slotClass, stripe + 1);
      }
      if (stripe == SparseStripes.NONE) {
        lookIn(LOOK_MILLIS);
      } else if (receivers.makeRoomFor(stripe)) {
        empty(stripe);
      } else {
        int after = stripe + 1;
        loop.execute(() -> next(after));
      }
    }

    private void empty(int stripe) {
      long begin = System.nanoTime();
      new StripeEmptying(
              parts,
              writes,
              receivers,
              stripe,
              end -> {
                if (end == StripeEmptying.End.NO_MEMORY) {
                  shard.sparse().putBack(slotClass);
                  lookIn(RETRY_MILLIS);
                  return;
                }
                if (end == StripeEmptying.End.LEFT) {
                  shard.sparse().putBack(slotClass);
                }
                long nanos = Math.max(System.nanoTime() - begin, LEAST_PAUSE_NANOS);
                loop.schedule(() -> next(stripe + 1), nanos, TimeUnit.NANOSECONDS);
              })
          .begin();
    }
  }
}

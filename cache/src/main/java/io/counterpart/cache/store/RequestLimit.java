package io.counterpart.cache.store;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Bounds concurrent requests: runs up to a limit, queues up to a second limit, and refuses the
 * rest. Belongs to the tier's event loop.
 */
final class RequestLimit {
  private final int atOnce;
  private final int waiting;
  private final long longestNanos;
  private final LongSupplier clockNanos;
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private int underWay;
  private boolean advancing;

  /**
   * @param longestNanos wait after which a request is refused when its turn comes
   */
  RequestLimit(int atOnce, int waiting, long longestNanos, LongSupplier clockNanos) {
    this.atOnce = atOnce;
    this.waiting = waiting;
    this.longestNanos = longestNanos;
    this.clockNanos = clockNanos;
  }

  private record Waiting(long sinceNanos, Runnable body, Runnable refused) {}

  /** Runs one of the two, now or later. The end of the body calls {@link #leave} once. */
  void enter(Runnable body, Runnable refused) {
    if (underWay < atOnce && queue.isEmpty()) {
      underWay++;
      body.run();
    } else if (queue.size() < waiting) {
      queue.add(new Waiting(clockNanos.getAsLong(), body, refused));
    } else {
      refused.run();
    }
  }

  void leave() {
    underWay--;
    if (advancing) {
      return; // the loop below, further up the stack, goes on
    }
    advancing = true;
    while (underWay < atOnce && !queue.isEmpty()) {
      Waiting next = queue.remove();
      if (clockNanos.getAsLong() - next.sinceNanos() > longestNanos) {
        next.refused().run();
      } else {
        underWay++;
        next.body().run();
      }
    }
    advancing = false;
  }

  int underWay() {
    return underWay;
  }

  int waiting() {
    return queue.size();
  }
}

package io.counterpart.cache.ownership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * The time for which a proxy may write without asking again whether it still owns its servers. What
 * comes later waits until it is renewed, in order. It is renewed from the time at which the
 * question was asked, so that an owner elsewhere that waits for one lease after its claim knows
 * this one to have stopped. What waits is bounded as clients' requests are. Belongs to the shard's
 * event loop.
 */
public final class WriteLease {
  private final LongSupplier clockNanos;
  private final long lengthNanos;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private long endNanos;

  /**
   * A lease that begins now.
   *
   * @param length above 0
   */
  public WriteLease(LongSupplier clockNanos, Duration length) {
    if (length.isNegative() || length.isZero()) {
      throw new IllegalArgumentException("lease of " + length + ", legal: above 0");
    }
    this.clockNanos = clockNanos;
    this.lengthNanos = length.toNanos();
    this.endNanos = clockNanos.getAsLong() + lengthNanos;
  }

  /** How long it lasts. */
  public Duration length() {
    return Duration.ofNanos(lengthNanos);
  }

  /** Whether a write may leave now. */
  public boolean isHeld() {
    return waiting.isEmpty() && endNanos - clockNanos.getAsLong() > 0;
  }

  /** Runs a write when the lease is held again. */
  public void await(Runnable write) {
    waiting.add(write);
  }

  /** Ownership was seen by a question of this time. */
  public void renew(long askedNanos) {
    endNanos = askedNanos + lengthNanos;
    while (!waiting.isEmpty() && endNanos - clockNanos.getAsLong() > 0) {
      Runnable next = waiting.remove();
      next.run();
    }
  }
}

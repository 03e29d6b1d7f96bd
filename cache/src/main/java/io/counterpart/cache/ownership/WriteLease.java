package io.counterpart.cache.ownership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The time for which a proxy may change one server without reading its mark again. What comes later
 * waits until it is renewed, in order. It is renewed from the time at which the mark was asked for,
 * so that an owner elsewhere that waits for one lease after its claim knows this one to have
 * stopped. What waits is bounded as clients' requests are. Belongs to the shard's event loop.
 */
public final class WriteLease {
  private final LongSupplier clockNanos;
  private final long lengthNanos;
  private final BooleanSupplier isTierOwned;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private long endNanos;

  /**
   * A lease that is over until it is renewed.
   *
   * @param length above 0
   * @param isTierOwned whether enough other servers are leased too
   */
  public WriteLease(LongSupplier clockNanos, Duration length, BooleanSupplier isTierOwned) {
    if (length.isNegative() || length.isZero()) {
      throw new IllegalArgumentException("lease of " + length + ", legal: above 0");
    }
    this.clockNanos = clockNanos;
    this.lengthNanos = length.toNanos();
    this.isTierOwned = isTierOwned;
    this.endNanos = clockNanos.getAsLong();
  }

  /** Whether the server is this proxy's alone. */
  public boolean isValid() {
    return leftNanos() > 0;
  }

  /** How long it lasts still; 0 or less if it is over. */
  public long leftNanos() {
    return endNanos - clockNanos.getAsLong();
  }

  /** Whether a write may leave now: the server is owned, the tier too, and none waits before it. */
  public boolean isHeld() {
    return waiting.isEmpty() && mayGo();
  }

  private boolean mayGo() {
    return isValid() && isTierOwned.getAsBoolean();
  }

  /** Runs a write when the lease is held again. */
  public void await(Runnable write) {
    waiting.add(write);
  }

  /** The own mark was seen by a question of this time; {@link #advance} runs what may go now. */
  public void renew(long askedNanos) {
    long renewedNanos = askedNanos + lengthNanos;
    if (renewedNanos - endNanos > 0) {
      endNanos = renewedNanos;
    }
  }

  /** Runs what waits, as far as it may. */
  public void advance() {
    while (!waiting.isEmpty() && mayGo()) {
      Runnable next = waiting.remove();
      next.run();
    }
  }

  /** Runs all that waits, which finds its server given up. */
  public void giveUp() {
    List<Runnable> writes = List.copyOf(waiting);
    waiting.clear();
    writes.forEach(Runnable::run);
  }
}

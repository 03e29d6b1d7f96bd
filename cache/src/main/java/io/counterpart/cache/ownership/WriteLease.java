package io.counterpart.cache.ownership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The time for which a proxy may change one server without reading its mark again. Later changes
 * wait, in order, until the lease is renewed. A renewal counts from the time of the question, so an
 * owner elsewhere that waits for one lease after its claim knows that this one has stopped. The
 * waiting changes are bounded as clients' requests are. Belongs to the shard's event loop.
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

  /** Whether the server belongs to this proxy alone. */
  public boolean isValid() {
    return leftNanos() > 0;
  }

  /** Remaining time; 0 or less if the lease is over. */
  public long leftNanos() {
    return endNanos - clockNanos.getAsLong();
  }

  /**
   * Whether a write may leave now: the server is leased, the tier too, and no earlier write waits.
   */
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

  /**
   * Renews the lease after a question of this time has shown the own mark; {@link #advance} runs
   * the waiting writes.
   */
  public void renew(long askedNanos) {
    long renewedNanos = askedNanos + lengthNanos;
    if (renewedNanos - endNanos > 0) {
      endNanos = renewedNanos;
    }
  }

  /** Runs waiting writes, as far as the lease permits. */
  public void advance() {
    while (!waiting.isEmpty() && mayGo()) {
      Runnable next = waiting.remove();
      next.run();
    }
  }

  /** Runs all waiting writes, which find their server given up. */
  public void giveUp() {
    List<Runnable> writes = List.copyOf(waiting);
    waiting.clear();
    writes.forEach(Runnable::run);
  }
}

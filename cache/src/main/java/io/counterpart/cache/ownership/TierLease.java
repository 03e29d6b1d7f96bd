package io.counterpart.cache.ownership;

import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether no other owner can have begun to use the tier. It would need all servers of n − k + 1
 * rings ({@link StartQuorum}), and wait for their leases to end before it uses them. They meet
 * every k of the n rings; so there is none while at most n − k rings have a server whose lease is
 * over. With (n, k) = (5, 3) two slow servers of different rings stop nobody, and a third one does.
 * Belongs to the shard's event loop.
 */
public final class TierLease {
  /** What a ring has left that has a server which is not used. */
  public static final long DOWN = Long.MIN_VALUE;

  private final int tolerated;
  private final LongSupplier clockNanos;
  private final Supplier<Collection<Long>> leftNanosOfRings;
  private long endNanos;

  /**
   * A lease made of those of servers.
   *
   * @param tolerated n − k
   * @param leftNanosOfRings of each ring, what the first of its servers' leases to end has left; 0
   *     or less if it is over, or {@link #DOWN}
   */
  public TierLease(
      int tolerated, LongSupplier clockNanos, Supplier<Collection<Long>> leftNanosOfRings) {
    this.tolerated = tolerated;
    this.clockNanos = clockNanos;
    this.leftNanosOfRings = leftNanosOfRings;
    this.endNanos = clockNanos.getAsLong();
  }

  /**
   * Whether it is held. If more rings are down than the code bears it need not be: nothing is
   * acknowledged then, and what waits is to be told so.
   */
  public boolean isHeld() {
    long now = clockNanos.getAsLong();
    if (endNanos - now > 0) {
      return true;
    }
    List<Long> left = leftNanosOfRings.get().stream().sorted().toList();
    long least = left.size() > tolerated ? left.get(tolerated) : DOWN;
    endNanos = least > 0 ? now + least : now;
    return least > 0 || least == DOWN;
  }

  /** A server was lost: what was known is over. */
  public void forget() {
    endNanos = clockNanos.getAsLong();
  }
}

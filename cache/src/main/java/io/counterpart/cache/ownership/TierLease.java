package io.counterpart.cache.ownership;

import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decides whether another owner may have begun to use the tier. Another owner needs all servers of
 * n − k + 1 rings ({@link StartQuorum}), and waits for their leases to end before it uses them. n −
 * k + 1 rings overlap every set of k rings. So there is no other owner while at most n − k rings
 * have a server whose lease is over. With (n, k) = (5, 3) two slow servers of different rings stop
 * nobody, and a third one does. Belongs to the shard's event loop.
 */
public final class TierLease {
  /** The remaining lease of a ring with a server that is not used. */
  public static final long DOWN = Long.MIN_VALUE;

  private final int tolerated;
  private final LongSupplier clockNanos;
  private final Supplier<Collection<Long>> leftNanosOfRings;
  private long endNanos;

  /**
   * A lease made of the servers' leases.
   *
   * @param tolerated n − k
   * @param leftNanosOfRings for each ring, the remainder of the first of its servers' leases to
   *     end; 0 or less if it is over, or {@link #DOWN}
   */
  public TierLease(
      int tolerated, LongSupplier clockNanos, Supplier<Collection<Long>> leftNanosOfRings) {
    this.tolerated = tolerated;
    this.clockNanos = clockNanos;
    this.leftNanosOfRings = leftNanosOfRings;
    this.endNanos = clockNanos.getAsLong();
  }

  /**
   * Whether the lease is held. It counts as held while more rings are down than the code tolerates:
   * nothing is acknowledged then, and waiting operations have to fail.
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

  /** Forgets the known end of the lease, because a server was lost. */
  public void forget() {
    endNanos = clockNanos.getAsLong();
  }
}

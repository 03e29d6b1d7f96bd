package io.counterpart.cache.ownership;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Decides which copies of the metadata the owner waits for. A copy that has everything counts from
 * then on, as long as fewer than the wanted number do. One that is silent, or holds the owner up,
 * counts no more. No state.
 */
public final class CopyMembership {
  /** Time after which the owner goes on without a copy. */
  public static final Duration PATIENCE = Duration.ofSeconds(1);

  private CopyMembership() {}

  /**
   * A copy elsewhere.
   *
   * @param counts whether the owner waits for it
   * @param hasAll whether it has everything that is durable here
   * @param silentNanos time since it was heard of
   * @param lateNanos time for which the owner has waited for it; 0 if nothing does
   */
  public record Copy(long id, boolean counts, boolean hasAll, long silentNanos, long lateNanos) {
    private boolean isTooLate() {
      return Math.max(silentNanos, lateNanos) > PATIENCE.toNanos();
    }
  }

  /**
   * A change of the set.
   *
   * @param counts whether the copy counts from now on
   */
  public record Change(long id, boolean counts) {}

  /**
   * The next change, if any.
   *
   * @param copies elsewhere
   * @param most copies that shall count, the owner's included
   */
  public static Optional<Change> next(Collection<Copy> copies, int most) {
    Optional<Copy> lost = copies.stream().filter(Copy::counts).filter(Copy::isTooLate).findFirst();
    if (lost.isPresent()) {
      return Optional.of(new Change(lost.get().id(), false));
    }
    long counting = 1 + copies.stream().filter(Copy::counts).count();
    if (counting >= most) {
      return Optional.empty();
    }
    return copies.stream()
        .filter(copy -> !copy.counts() && copy.hasAll() && !copy.isTooLate())
        .min(Comparator.comparingLong(Copy::id))
        .map(copy -> new Change(copy.id(), true));
  }
}

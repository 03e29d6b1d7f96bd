package io.counterpart.core.staleness.estimate;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bounds that decisions use, as they come from one replica set. Bounds may fall only at a look,
 * once per {@link ErrorBudget#look}, since each look may be wrong and the budget counts them. They
 * rise at once: a higher bound asks for more replicas, which is the safe direction.
 *
 * <p>Not thread-safe: one thread evaluates; readers get the published record.
 */
public final class Looks {
  private final ErrorBudget budget;
  private final long firstLookNanos;
  private long looks;
  private @Nullable StaleBounds published;

  /**
   * Nothing is published before the first look.
   *
   * @param nowNanos start of the first window
   */
  public Looks(ErrorBudget budget, long nowNanos) {
    this.budget = budget;
    firstLookNanos = nowNanos + budget.look().toNanos();
  }

  /** δ for the bounds to be given to {@link #publish}. */
  public double delta() {
    return budget.deltaOfLook();
  }

  /** Takes new bounds; returns what decisions are to use, empty before the first look. */
  public Optional<StaleBounds> publish(StaleBounds newest, long nowNanos) {
    long since = nowNanos - firstLookNanos;
    long due = since < 0 ? 0 : 1 + since / budget.look().toNanos();
    if (due > looks) {
      looks = due;
      published = newest;
    } else if (published != null) {
      published = published.raisedTo(newest);
    }
    return Optional.ofNullable(published);
  }
}

package io.counterpart.core.staleness.estimate;

import java.util.SplittableRandom;

/** Times from a write's return to a read of the same key, from which estimates draw. */
public sealed interface Gaps permits FixedGap, ObservedGaps {
  /** One gap in nanoseconds, 0 and above. */
  long drawNanos(SplittableRandom random);
}

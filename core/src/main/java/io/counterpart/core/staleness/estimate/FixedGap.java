package io.counterpart.core.staleness.estimate;

import java.util.SplittableRandom;

/**
 * The gap that an operator configured: no read is expected sooner after a write.
 *
 * @param nanos 0 and above
 */
public record FixedGap(long nanos) implements Gaps {
  /** Checks. */
  public FixedGap {
    if (nanos < 0) {
      throw new IllegalArgumentException("gap is %d ns, legal: 0 and above".formatted(nanos));
    }
  }

  @Override
  public long drawNanos(SplittableRandom random) {
    return nanos;
  }
}

package io.counterpart.lab.staleness.client;

/**
 * How fast pairs of a write and a read begin.
 *
 * @param perSecond intended rate, whatever the nodes do; 0 for as many as {@code inFlight} allows
 * @param inFlight pairs without an end at most, 1 and above
 */
public record PairPace(int perSecond, int inFlight) {
  /** Checks. */
  public PairPace {
    if (perSecond < 0 || inFlight < 1) {
      throw new IllegalArgumentException(
          "%d pairs a second, %d in flight, legal: 0 and above, 1 and above"
              .formatted(perSecond, inFlight));
    }
  }

  /** When a pair is to begin, in ns after the first. */
  long beginNanos(long pair) {
    return perSecond == 0 ? 0 : pair * 1_000_000_000L / perSecond;
  }
}

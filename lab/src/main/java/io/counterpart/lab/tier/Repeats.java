package io.counterpart.lab.tier;

/**
 * The number of measurements of each arm.
 *
 * @param warmUps blocks of each phase and arm that are not measured, at least 0
 * @param measured blocks of each phase and arm, at least 1
 */
public record Repeats(int warmUps, int measured) {
  private static final int MOST_REQUESTS = 50_000_000;

  /** Arms are faster once they are warm. */
  private static final double MARGIN = 1.2;

  /** Checks every range. */
  public Repeats {
    if (warmUps < 0 || measured < 1) {
      throw new IllegalArgumentException(
          "warm-ups %d, repeats %d: must be at least 0 and 1".formatted(warmUps, measured));
    }
  }

  /** Requests of the next blocks, so many that also the fastest of these takes the least time. */
  static int enoughRequests(int requests, double fastestSeconds, double leastSeconds) {
    return (int) Math.min(MOST_REQUESTS, requests * MARGIN * leastSeconds / fastestSeconds);
  }
}

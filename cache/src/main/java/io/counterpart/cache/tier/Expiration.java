package io.counterpart.cache.tier;

/**
 * When an object expires.
 *
 * @param epochSeconds seconds since 1970; 0 = never
 */
public record Expiration(long epochSeconds) {
  /** No end. */
  public static final Expiration NEVER = new Expiration(0);

  /** What has expired already: memcached's negative exptime. */
  public static final Expiration PAST = new Expiration(1);

  private static final long MOST = 0xffff_ffffL;

  /** Checks the range. */
  public Expiration {
    if (epochSeconds < 0 || epochSeconds > MOST) {
      throw new IllegalArgumentException(
          "expiration %d: must be 0 to %d seconds since 1970".formatted(epochSeconds, MOST));
    }
  }

  /** Whether it is over at a time. */
  public boolean isOver(long nowEpochSeconds) {
    return epochSeconds != 0 && epochSeconds <= nowEpochSeconds;
  }
}

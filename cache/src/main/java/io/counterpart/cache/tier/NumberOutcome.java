package io.counterpart.cache.tier;

/**
 * The outcome of arithmetic.
 *
 * @param number the new number, 64 unsigned bits; 0 unless done
 * @param created whether there was no such object before
 * @param cas the object's new version
 * @param ttlSeconds until it expires, -1 if it does not
 */
public record NumberOutcome(
    Status status, long number, boolean created, long cas, long ttlSeconds) {
  /** The outcome of arithmetic that was not done. */
  public static NumberOutcome not(Status why) {
    return new NumberOutcome(why, 0, false, 0, 0);
  }
}

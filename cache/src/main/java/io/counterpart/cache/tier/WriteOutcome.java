package io.counterpart.cache.tier;

/**
 * The outcome of a write.
 *
 * @param cas the object's version after it; 0 if there is no object or nothing was done
 */
public record WriteOutcome(Status status, long cas) {
  /** A write that was not done. */
  public static WriteOutcome not(Status why) {
    return new WriteOutcome(why, 0);
  }
}

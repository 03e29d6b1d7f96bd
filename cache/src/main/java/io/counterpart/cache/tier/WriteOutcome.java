package io.counterpart.cache.tier;

/**
 * The outcome of a write.
 *
 * @param cas the object's new version; 0 if there is no object or nothing was done
 */
public record WriteOutcome(Status status, long cas) {
  /** The outcome of a write that was not done. */
  public static WriteOutcome not(Status why) {
    return new WriteOutcome(why, 0);
  }
}

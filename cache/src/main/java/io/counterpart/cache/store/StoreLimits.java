package io.counterpart.cache.store;

import java.time.Duration;

/**
 * Bounds on a tier's use of its persistent store, so that a loss of memory servers does not flood
 * it.
 *
 * @param readsAtOnce reads of the store under way, 1 to 4096
 * @param readsWaiting further reads that wait, 0 to 1,000,000; reads beyond are refused
 * @param writesAtOnce writes and deletions under way, 1 to 4096
 * @param writesWaiting further writes and deletions that wait, 0 to 1,000,000; those beyond are
 *     refused
 * @param longestWait wait after which a request is refused, 10 ms to 60 s
 * @param unsettledKeys most unsettled keys that are remembered, 16 to 10,000,000
 * @param retry pause before the copies of unsettled keys are deleted again, 1 ms to 60 s
 */
public record StoreLimits(
    int readsAtOnce,
    int readsWaiting,
    int writesAtOnce,
    int writesWaiting,
    Duration longestWait,
    int unsettledKeys,
    Duration retry) {
  private static final int MAX_AT_ONCE = 4096;
  private static final int MAX_WAITING = 1_000_000;
  private static final int MIN_UNSETTLED = 16;
  private static final int MAX_UNSETTLED = 10_000_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  /** Default limits. */
  public static final StoreLimits DEFAULT =
      new StoreLimits(32, 1024, 256, 4096, Duration.ofSeconds(2), 1 << 16, Duration.ofSeconds(1));

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public StoreLimits {
    require("reads of the store at once", readsAtOnce, 1, MAX_AT_ONCE);
    require("waiting reads of the store", readsWaiting, 0, MAX_WAITING);
    require("writes to the store at once", writesAtOnce, 1, MAX_AT_ONCE);
    require("waiting writes to the store", writesWaiting, 0, MAX_WAITING);
    require("longest wait for the store", longestWait, Duration.ofMillis(10), MAX_WAIT);
    require("unsettled keys", unsettledKeys, MIN_UNSETTLED, MAX_UNSETTLED);
    require("retry", retry, Duration.ofMillis(1), MAX_WAIT);
  }

  /** The limits of one of so many equal parts. */
  public StoreLimits divided(int parts) {
    return new StoreLimits(
        Math.max(1, readsAtOnce / parts),
        readsWaiting / parts,
        Math.max(1, writesAtOnce / parts),
        writesWaiting / parts,
        longestWait,
        Math.max(MIN_UNSETTLED, unsettledKeys / parts),
        retry);
  }

  private static void require(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s: %d, legal: %d to %d".formatted(what, value, least, most));
    }
  }

  private static void require(String what, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s: %d ms, legal: %d to %d ms"
              .formatted(what, value.toMillis(), least.toMillis(), most.toMillis()));
    }
  }
}

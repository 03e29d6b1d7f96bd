package io.counterpart.lab.check;

/**
 * One answered read of a history, on the monotonic clock of all its operations.
 *
 * @param startedNanos before the request was sent
 * @param endedNanos after the answer came
 * @param version as returned; 0 if there was no row
 */
public record TimedRead(int session, int key, long startedNanos, long endedNanos, long version) {
  /** Checks. */
  public TimedRead {
    if (version < 0 || endedNanos - startedNanos < 0) {
      throw new IllegalArgumentException(
          "version %d, from %d to %d, legal: 0 and above, an end not before the start"
              .formatted(version, startedNanos, endedNanos));
    }
  }
}

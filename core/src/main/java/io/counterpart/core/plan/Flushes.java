package io.counterpart.core.plan;

/**
 * The size of a table's flushes, in bytes on disk. The average has a long memory: a few small
 * flushes after a restart keep it low for dozens of large ones. The largest of the last few shows
 * at once how large a flush may be.
 *
 * @param averageBytes of hundreds of flushes; 0 where unknown
 * @param largestBytes of the last few flushes; 0 where unknown
 */
public record Flushes(long averageBytes, long largestBytes) {
  public Flushes {
    if (averageBytes < 0 || largestBytes < 0) {
      throw new IllegalArgumentException(
          "flushes of %d bytes on average, %d at most, legal: 0 and above"
              .formatted(averageBytes, largestBytes));
    }
  }

  /** Upper bound on the bytes of a single flush. */
  long mostBytes() {
    return Math.max(averageBytes, largestBytes);
  }
}

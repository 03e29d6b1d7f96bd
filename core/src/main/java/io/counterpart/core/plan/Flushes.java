package io.counterpart.core.plan;

/**
 * How large a table's flushes are, in bytes on disk. The average has a long memory, so a few small
 * flushes after a restart keep it low for dozens of large ones; the largest of the last few knows
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

  /** What a single flush may write. */
  long mostBytes() {
    return Math.max(averageBytes, largestBytes);
  }
}

package io.counterpart.cache.metadata;

/**
 * The range of numbers that journal items on servers may have.
 *
 * @param first the lowest, 0 and above: items below have been dropped
 * @param end above the highest
 */
public record JournalNumbers(long first, long end) {
  /** No item has been written yet. */
  public static final JournalNumbers NONE = new JournalNumbers(0, 0);

  public JournalNumbers {
    if (first < 0 || end < first) {
      throw new IllegalArgumentException(
          "journal numbers from " + first + " to " + end + ", legal: 0 <= first <= end");
    }
  }
}

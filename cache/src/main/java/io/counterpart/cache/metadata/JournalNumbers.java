package io.counterpart.cache.metadata;

/**
 * The range of numbers that journal items on servers may have.
 *
 * @param first the lowest number, at least 0; items below it have been dropped
 * @param end one above the highest number
 */
public record JournalNumbers(long first, long end) {
  /** The range before the first item. */
  public static final JournalNumbers NONE = new JournalNumbers(0, 0);

  public JournalNumbers {
    if (first < 0 || end < first) {
      throw new IllegalArgumentException(
          "journal numbers from " + first + " to " + end + ", legal: 0 <= first <= end");
    }
  }
}

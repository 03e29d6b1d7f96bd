package io.counterpart.lab.stats;

/**
 * A median with its interval.
 *
 * @param median best single value
 * @param low lower end
 * @param high upper end
 */
public record Interval(double median, double low, double high) {
  /** Whether a value is one that the measurement does not rule out. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}

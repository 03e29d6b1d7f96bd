package io.counterpart.lab.stats;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * A median with its interval.
 *
 * @param median best single value: the middle one, or the mean of the two middle ones
 * @param low lower end
 * @param high upper end
 */
public record Interval(double median, double low, double high) {
  /**
   * The median of at least one value, between the extremes. With a few values there is no honest
   * interval narrower than that.
   *
   * @throws IllegalArgumentException without values
   */
  public static Interval ofExtremes(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("0 values: a median needs at least 1");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Interval(medianOfSorted(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * The median of what a function gives for at least one thing.
   *
   * @throws IllegalArgumentException without things
   */
  public static <T> double median(Collection<T> things, ToDoubleFunction<? super T> value) {
    return ofExtremes(things.stream().mapToDouble(value).toArray()).median();
  }

  /** Whether a value is one that the measurement does not rule out. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /**
   * What a ratio says: "more", "less", or "no difference" where the interval holds 1, so that the
   * measurement does not rule out that both are alike.
   */
  public String verdict() {
    if (contains(1)) {
      return "no difference";
    }
    return median > 1 ? "more" : "less";
  }

  static double medianOfSorted(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}

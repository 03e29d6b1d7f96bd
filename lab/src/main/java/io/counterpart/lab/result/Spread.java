package io.counterpart.lab.result;

import java.util.Arrays;

/**
 * Median and extremes of the rounds. With three rounds there is no honest interval narrower than
 * the extremes.
 *
 * @param median middle value, or the mean of the two middle values
 * @param low smallest value
 * @param high largest value
 */
public record Spread(double median, double low, double high) {
  /**
   * The spread of at least one value.
   *
   * @throws IllegalArgumentException without values
   */
  public static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("0 values: a spread needs at least 1");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }
}

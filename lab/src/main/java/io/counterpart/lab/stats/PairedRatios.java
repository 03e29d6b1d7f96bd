package io.counterpart.lab.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The ratio between two arms measured in pairs, block against neighbouring block, so that
 * disturbances of the machine affect both.
 *
 * <p>The interval is a percentile bootstrap of the median (Efron, Tibshirani 1993, chapter 13): 95
 * % of medians of pairs drawn with replacement. Below {@value #FEWEST_TO_RESAMPLE} pairs a
 * bootstrap says less than the extremes, which are given instead. Stateless.
 */
public final class PairedRatios {
  static final int RESAMPLES = 10_000;
  static final int FEWEST_TO_RESAMPLE = 5;
  static final double TAIL = 0.025;

  private PairedRatios() {}

  /**
   * The ratio of {@code own} to {@code peer}.
   *
   * @param own one value for each pair, at least one
   * @param peer as many, none 0
   * @param seed repeats the resampling
   */
  public static Interval of(double[] own, double[] peer, long seed) {
    if (own.length == 0 || own.length != peer.length) {
      throw new IllegalArgumentException(
          "%d and %d values: a ratio needs pairs, at least one".formatted(own.length, peer.length));
    }
    double[] ratios = new double[own.length];
    for (int i = 0; i < own.length; i++) {
      ratios[i] = own[i] / peer[i];
    }
    return medianOf(ratios, seed);
  }

  /** The median of values measured one after another, with the same kind of interval. */
  public static Interval medianOf(double[] values, long seed) {
    Interval extremes = Interval.ofExtremes(values);
    if (values.length < FEWEST_TO_RESAMPLE) {
      return extremes;
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] medians = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      medians[i] = drawnMedian(values, random);
    }
    Arrays.sort(medians);
    int cut = (int) (RESAMPLES * TAIL);
    return new Interval(extremes.median(), medians[cut], medians[RESAMPLES - 1 - cut]);
  }

  /** The median of as many values as there are, drawn with replacement. */
  static double drawnMedian(double[] values, SplittableRandom random) {
    double[] drawn = new double[values.length];
    for (int j = 0; j < drawn.length; j++) {
      drawn[j] = values[random.nextInt(values.length)];
    }
    Arrays.sort(drawn);
    return Interval.medianOfSorted(drawn);
  }
}

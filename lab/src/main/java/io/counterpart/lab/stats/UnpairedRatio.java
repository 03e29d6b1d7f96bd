package io.counterpart.lab.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The ratio between two sets of values without pairs, such as the blocks of two runs.
 *
 * <p>The value is the ratio of the medians. The interval is the two-sample percentile bootstrap
 * (Efron, Tibshirani 1993, sections 8.3 and 13.3): each set is drawn from on its own, with
 * replacement, and 95 % of the ratios of the medians drawn lie between the ends. Where one set has
 * fewer than {@value PairedRatios#FEWEST_TO_RESAMPLE} values a bootstrap says less than the
 * extremes, which are given instead: smallest ÷ largest to largest ÷ smallest. It covers chance
 * between the values of a set, not what sets as wholes have apart. Stateless.
 */
public final class UnpairedRatio {
  private UnpairedRatio() {}

  /**
   * The ratio of {@code own} to {@code peer}.
   *
   * @param own at least one value, all above 0
   * @param peer at least one value, all above 0
   * @param seed repeats the resampling
   * @throws IllegalArgumentException for anything else
   */
  public static Interval of(double[] own, double[] peer, long seed) {
    Interval above = positive(own);
    Interval below = positive(peer);
    double ratio = above.median() / below.median();
    if (Math.min(own.length, peer.length) < PairedRatios.FEWEST_TO_RESAMPLE) {
      return new Interval(ratio, above.low() / below.high(), above.high() / below.low());
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] ratios = new double[PairedRatios.RESAMPLES];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = PairedRatios.drawnMedian(own, random) / PairedRatios.drawnMedian(peer, random);
    }
    Arrays.sort(ratios);
    int cut = (int) (ratios.length * PairedRatios.TAIL);
    return new Interval(ratio, ratios[cut], ratios[ratios.length - 1 - cut]);
  }

  /**
   * How often the interval leaves out 1 though both sets are drawn alike, 0 to 1. For extremes that
   * is when no value of one set lies among the other's: 2 of all ways to deal the values out; for
   * the bootstrap it is what it aims at.
   */
  public static double falseAlarm(int own, int peer) {
    if (Math.min(own, peer) >= PairedRatios.FEWEST_TO_RESAMPLE) {
      return 2 * PairedRatios.TAIL;
    }
    double ways = 1;
    for (int i = 1; i <= own; i++) {
      ways = ways * (peer + i) / i;
    }
    return 2 / ways;
  }

  private static Interval positive(double[] values) {
    Interval extremes = Interval.ofExtremes(values);
    if (!(extremes.low() > 0) || !Double.isFinite(extremes.high())) {
      throw new IllegalArgumentException(
          "values from %s to %s: a ratio needs values above 0 and finite"
              .formatted(extremes.low(), extremes.high()));
    }
    return extremes;
  }
}

package io.counterpart.lab.workload.key;

import java.util.SplittableRandom;
import site.ycsb.Utils;
import site.ycsb.generator.NumberGenerator;

/**
 * Scrambled Zipfian keys in [0, n) from a seed: rank r is drawn with probability ∝ 1/(r+1)^θ, then
 * spread over the key space by YCSB's FNV hash.
 *
 * <p>YCSB's own generator draws from {@code ThreadLocalRandom} and so cannot be repeated. The
 * sampling formula is Gray et al., "Quickly Generating Billion-Record Synthetic Databases"
 * (SIGMOD'94), as YCSB uses it. Not thread-safe.
 */
public final class SeededZipfian extends NumberGenerator {
  private final long items;
  private final double theta;
  private final double zetaN;
  private final double alpha;
  private final double eta;
  private final SplittableRandom random;

  /**
   * @param items n, at least 2
   * @param theta skew in (0, 1); YCSB and the paper use 0.99
   */
  public SeededZipfian(long items, double theta, long seed) {
    if (items < 2 || !(theta > 0 && theta < 1)) {
      throw new IllegalArgumentException(
          "items %d, theta %s: needs at least 2 items and 0 < theta < 1".formatted(items, theta));
    }
    this.items = items;
    this.theta = theta;
    zetaN = zeta(items, theta);
    alpha = 1 / (1 - theta);
    eta = (1 - Math.pow(2.0 / items, 1 - theta)) / (1 - zeta(2, theta) / zetaN);
    random = new SplittableRandom(seed);
  }

  @Override
  public Long nextValue() {
    long next = Math.floorMod(Utils.fnvhash64(nextRank()), items);
    setLastValue(next);
    return next;
  }

  @Override
  public double mean() {
    return (items - 1) / 2.0;
  }

  /** A rank in [0, n), 0 the most popular. */
  long nextRank() {
    double u = random.nextDouble();
    double uz = u * zetaN;
    if (uz < 1) {
      return 0;
    }
    if (uz < 1 + Math.pow(0.5, theta)) {
      return 1;
    }
    return Math.min(items - 1, (long) (items * Math.pow(eta * u - eta + 1, alpha)));
  }

  private static double zeta(long n, double theta) {
    double sum = 0;
    for (long i = 1; i <= n; i++) {
      sum += 1 / Math.pow(i, theta);
    }
    return sum;
  }
}

package io.counterpart.core.staleness;

/**
 * A count among trials, with exact bounds of the probability behind it (Clopper and Pearson 1934):
 * the lower bound p makes as many successes or more as likely as half of the error, {@code P(X ≥ k;
 * n, p) = α/2}; the upper one as many or fewer. Both follow from the regularized incomplete beta
 * function I, since {@code P(X ≥ k; n, p) = I(p; k, n − k + 1)}.
 *
 * <p>Worked: 0 of 100 at 95 % gives 0 to 0.0362.
 *
 * @param count 0 to {@code trials}
 * @param trials 1 and above
 */
public record Proportion(long count, long trials) {
  private static final int BISECTIONS = 100;
  private static final int MOST_TERMS = 10_000;
  private static final double PRECISION = 1e-14;
  private static final double TINY = 1e-300;

  /** Checks. */
  public Proportion {
    if (trials < 1 || count < 0 || count > trials) {
      throw new IllegalArgumentException(
          "%d of %d, legal: 0 to the number of trials, at least 1 trial".formatted(count, trials));
    }
  }

  /** The observed share, 0 to 1. */
  public double share() {
    return (double) count / trials;
  }

  /**
   * Lower bound.
   *
   * @param confidence above 0 and below 1, such as 0.95
   */
  public double low(double confidence) {
    double tail = tail(confidence);
    return count == 0 ? 0 : inverse(count, trials - count + 1.0, tail);
  }

  /**
   * Upper bound.
   *
   * @param confidence above 0 and below 1, such as 0.95
   */
  public double high(double confidence) {
    double tail = tail(confidence);
    return count == trials ? 1 : inverse(count + 1.0, trials - count, 1 - tail);
  }

  private static double tail(double confidence) {
    Probability.require("confidence", confidence);
    return (1 - confidence) / 2;
  }

  /** The x at which I(x; a, b) is the probability. */
  private static double inverse(double a, double b, double probability) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (beta(middle, a, b) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22). */
  static double beta(double x, double a, double b) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    // the fraction converges quickly below the mean
    if (x > (a + 1) / (a + b + 2)) {
      return 1 - beta(1 - x, b, a);
    }
    double logFront =
        a * Math.log(x)
            + b * Math.log1p(-x)
            - Math.log(a)
            - (logGamma(a) + logGamma(b) - logGamma(a + b));
    return Math.exp(logFront) / fraction(x, a, b);
  }

  /** By Lentz's method: 1 + d₁/(1 + d₂/(1 + …)). */
  private static double fraction(double x, double a, double b) {
    double value = 1;
    double c = 1;
    double d = 0;
    for (int term = 1; term <= MOST_TERMS; term++) {
      double m = term / 2;
      double numerator =
          term % 2 == 0
              ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
              : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / nonZero(1 + numerator * d);
      c = nonZero(1 + numerator / c);
      double factor = c * d;
      value *= factor;
      if (Math.abs(factor - 1) < PRECISION) {
        break;
      }
    }
    return value;
  }

  private static double nonZero(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  /** Stirling's series, after steps up to where it is exact to 1e-12 (DLMF 5.11.1). */
  private static double logGamma(double z) {
    double shift = 0;
    double x = z;
    while (x < 10) {
      shift -= Math.log(x);
      x++;
    }
    double inverse = 1 / x;
    double square = inverse * inverse;
    double series =
        inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
    return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
  }
}

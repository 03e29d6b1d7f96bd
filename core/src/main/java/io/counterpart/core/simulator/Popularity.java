package io.counterpart.core.simulator;

/**
 * The distribution of update requests over keys: a zipfian law cut into classes of equally popular
 * keys, each twice as wide as the one before.
 *
 * <p>Paper: DEPART §5.1 uses the exponent 0.99. Immutable.
 */
final class Popularity {
  private final double[] keyShare;
  private final double[] requestShare;

  private Popularity(double[] keyShare, double[] requestShare) {
    this.keyShare = keyShare;
    this.requestShare = requestShare;
  }

  /** No updates: a density needs no classes. */
  static Popularity none() {
    return new Popularity(new double[0], new double[0]);
  }

  /**
   * The law {@code p(rank) ~ rank^-exponent}.
   *
   * @param keys number of keys, at least 1
   * @param exponent 0 (uniform) inclusive to 1 exclusive
   */
  static Popularity zipfian(double keys, double exponent) {
    int classes = (int) Math.ceil(Math.log(keys + 1) / Math.log(2));
    double[] keyShare = new double[classes];
    double[] requestShare = new double[classes];
    double all = weightBelow(keys + 1, exponent);
    for (int c = 0; c < classes; c++) {
      double first = Math.pow(2, c);
      double end = Math.min(2 * first, keys + 1);
      keyShare[c] = (end - first) / keys;
      requestShare[c] = (weightBelow(end, exponent) - weightBelow(first, exponent)) / all;
    }
    return new Popularity(keyShare, requestShare);
  }

  // the integral of x^-exponent from 1: the sum of the law, to within the width of one class
  private static double weightBelow(double rank, double exponent) {
    return (Math.pow(rank, 1 - exponent) - 1) / (1 - exponent);
  }

  int classes() {
    return keyShare.length;
  }

  /** Share of all keys that are in the class; the shares sum to 1. */
  double keyShare(int popularityClass) {
    return keyShare[popularityClass];
  }

  /**
   * Expected requests for one key of the class, when the requests are {@code perKey} on average.
   */
  double requestsForOneKey(int popularityClass, double perKey) {
    return perKey * requestShare[popularityClass] / keyShare[popularityClass];
  }
}

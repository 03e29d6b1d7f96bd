package io.counterpart.core.staleness.estimate;

/**
 * Counts of the sets of late replicas among sampled writes: enough to tell how often a read of R
 * replicas meets late ones only, in time that does not grow with the samples. Not thread-safe.
 *
 * <p>Worked, N = 3: of four writes two have no late replica, one has {0}, one has {0, 1}. A read of
 * one replica chosen at random is stale with probability (0 + 0 + ⅓ + ⅔) ÷ 4 = ¼. A read that
 * always asks replica 0 is stale with ½: the worst subset.
 */
final class LateSets {
  private final int replicas;
  private final int[] byMask;
  private int samples;

  LateSets(int replicas) {
    this.replicas = replicas;
    byMask = new int[1 << replicas];
  }

  void add(int late) {
    byMask[late]++;
    samples++;
  }

  int samples() {
    return samples;
  }

  /** Of C(M, R) ÷ C(N, R), M late replicas: a read asks any R replicas with equal probability. */
  Moments anySubset(int reads) {
    double all = choose(replicas, reads);
    double sum = 0;
    double squares = 0;
    for (int mask = 1; mask < byMask.length; mask++) {
      double share = choose(Integer.bitCount(mask), reads) / all;
      sum += byMask[mask] * share;
      squares += byMask[mask] * share * share;
    }
    return Moments.of(samples, sum, squares);
  }

  /** Of reads that always ask those R replicas which are late together most often. */
  Moments worstSubset(int reads) {
    int[] allLate = allLate();
    int most = 0;
    for (int subset = 1; subset < allLate.length; subset++) {
      if (Integer.bitCount(subset) == reads) {
        most = Math.max(most, allLate[subset]);
      }
    }
    return Moments.of(samples, most, most);
  }

  /**
   * By subset, the writes of which all its replicas were late. These are sums over supersets, taken
   * one replica after the other: N · 2^N steps instead of 4^N.
   */
  private int[] allLate() {
    int[] counts = byMask.clone();
    for (int bit = 1; bit < counts.length; bit <<= 1) {
      for (int mask = 0; mask < counts.length; mask++) {
        if ((mask & bit) == 0) {
          counts[mask] += counts[mask | bit];
        }
      }
    }
    return counts;
  }

  private static double choose(int n, int k) {
    if (k > n) {
      return 0;
    }
    double product = 1;
    for (int i = 1; i <= k; i++) {
      product = product * (n - k + i) / i;
    }
    return product;
  }
}

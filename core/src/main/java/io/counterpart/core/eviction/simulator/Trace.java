package io.counterpart.core.eviction.simulator;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Requests for objects by popularity, with scans in between if asked for. The i-th most popular
 * object is asked for in proportion to i to the power −α; which one that is is random. A scan asks
 * for the next so many of the objects beyond the popular ones, one after another, and begins anew
 * after the last one. Repeats with its seed. Not thread-safe.
 */
final class Trace {
  private final int objects;
  private final double[] cumulated;
  private final int[] ofRank;
  private final SplittableRandom random;
  private final Scans scans;
  private int leftOfScan;
  private int nextScanned;

  /**
   * Scans beside the popular objects.
   *
   * @param share of all requests that belong to scans, 0 to below 1
   * @param length requests of a scan, 1 and above
   * @param objects that are scanned, 1 and above
   */
  record Scans(double share, int length, int objects) {
    /** None. */
    static final Scans NONE = new Scans(0, 1, 1);

    Scans {
      if (!(share >= 0 && share < 1) || length < 1 || objects < 1) {
        throw new IllegalArgumentException(
            "scans: share %s, length %d, objects %d".formatted(share, length, objects));
      }
    }
  }

  /**
   * @param objects that are asked for by popularity: numbers from 0 on; scanned ones follow
   * @param alpha exponent, 0 and above
   */
  Trace(int objects, double alpha, Scans scans, long seed) {
    this.objects = objects;
    this.scans = scans;
    this.random = new SplittableRandom(seed);
    this.cumulated = new double[objects];
    double sum = 0;
    for (int i = 0; i < objects; i++) {
      sum += Math.pow(i + 1.0, -alpha);
      cumulated[i] = sum;
    }
    this.ofRank = new int[objects];
    for (int i = 0; i < objects; i++) {
      int at = random.nextInt(i + 1);
      ofRank[i] = ofRank[at];
      ofRank[at] = i;
    }
  }

  /** The next object that is asked for. */
  int next() {
    if (leftOfScan > 0) {
      leftOfScan--;
      int scanned = objects + nextScanned;
      nextScanned = (nextScanned + 1) % scans.objects();
      return scanned;
    }
    // a scan has as many requests as its length: so many begin that the share comes out
    if (random.nextDouble() < scans.share() / (1 - scans.share()) / scans.length()) {
      leftOfScan = scans.length();
    }
    double at = random.nextDouble() * cumulated[objects - 1];
    int found = Arrays.binarySearch(cumulated, at);
    return ofRank[found >= 0 ? found : Math.min(-found - 1, objects - 1)];
  }
}

package io.counterpart.core.selection.simulator;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Keys by popularity: the i-th is drawn in proportion to i to the power −s. Key k lies on arc k mod
 * n; the hottest keys so lie on different nodes. Immutable and thread-safe.
 */
final class ZipfianKeys {
  private final double[] cumulated;

  ZipfianKeys(int keys, double exponent) {
    cumulated = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      cumulated[i] = sum;
    }
  }

  int draw(SplittableRandom random) {
    double at = random.nextDouble() * cumulated[cumulated.length - 1];
    int found = Arrays.binarySearch(cumulated, at);
    return found >= 0 ? found : Math.min(-found - 1, cumulated.length - 1);
  }

  /** Bits as even as a token's. */
  static int rowHash(int key) {
    long mixed = (key + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return (int) (mixed >>> 33);
  }
}

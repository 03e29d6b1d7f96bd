package io.counterpart.lab.tier;

import io.counterpart.lab.workload.SeededZipfian;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which objects are read and which are written, in order. Made before a block, so that the client
 * has nothing to draw while it is measured. Immutable.
 */
final class TierRequests {
  private static final double ZIPFIAN = 0.99;

  /** Key of each, its complement where it is written. */
  private final int[] requests;

  private TierRequests(int[] requests) {
    this.requests = requests;
  }

  /** Every object once, in order. */
  static TierRequests all(int objects, boolean writes) {
    int[] requests = new int[objects];
    for (int i = 0; i < objects; i++) {
      requests[i] = writes ? ~i : i;
    }
    return new TierRequests(requests);
  }

  /** Reads of these keys, in order. */
  static TierRequests reads(List<Integer> keys) {
    return new TierRequests(keys.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Scrambled Zipfian keys, as YCSB draws them by default.
   *
   * @param writeShare 0 to 1
   * @param seed repeats them
   */
  static TierRequests zipfian(int objects, int count, double writeShare, long seed) {
    SeededZipfian keys = new SeededZipfian(Math.max(2, objects), ZIPFIAN, seed);
    SplittableRandom kinds = new SplittableRandom(seed + 1);
    int[] requests = new int[count];
    for (int i = 0; i < count; i++) {
      int key = Math.min(objects - 1, keys.nextValue().intValue());
      requests[i] = kinds.nextDouble() < writeShare ? ~key : key;
    }
    return new TierRequests(requests);
  }

  int count() {
    return requests.length;
  }

  boolean isWrite(int request) {
    return requests[request] < 0;
  }

  int key(int request) {
    int key = requests[request];
    return key < 0 ? ~key : key;
  }
}

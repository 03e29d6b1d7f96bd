package io.counterpart.core.eviction.simulator;

import io.counterpart.core.eviction.StripeQueue;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * SIEVE on single objects: one queue, one bit an object, no codes. Not thread-safe. Paper: SIEVE
 * §3.1, Algorithm 1.
 */
final class SieveCache implements SimulatedCache {
  private final StripeQueue queue = new StripeQueue();
  private final BitSet visited = new BitSet();
  private final IntUnaryOperator sizeBytes;
  private final long capacityBytes;
  private long usedBytes;

  /**
   * @param sizeBytes bytes of each object, at most the capacity
   */
  SieveCache(long capacityBytes, IntUnaryOperator sizeBytes) {
    this.capacityBytes = capacityBytes;
    this.sizeBytes = sizeBytes;
  }

  @Override
  public boolean request(int object) {
    if (queue.contains(object)) {
      visited.set(object);
      return true;
    }
    int bytes = sizeBytes.applyAsInt(object);
    while (usedBytes + bytes > capacityBytes) {
      evict();
    }
    usedBytes += bytes;
    queue.add(object);
    return false;
  }

  private void evict() {
    int object = queue.atHand();
    while (visited.get(object)) {
      visited.clear(object);
      queue.pass();
      object = queue.atHand();
    }
    queue.remove(object);
    usedBytes -= sizeBytes.applyAsInt(object);
  }
}

package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.shard.Shard;

/**
 * The place of a pass that goes over all stripes again and again. Belongs to the shard's event
 * loop.
 */
final class StripePass {
  private final Shard shard;
  private int next;
  private long lap;

  StripePass(Shard shard) {
    this.shard = shard;
  }

  /** Begins the next lap behind the last stripe. */
  void wrap() {
    if (next >= end()) {
      next = 0;
      lap++;
    }
  }

  /** The next stripe. */
  int next() {
    return next;
  }

  /** Takes the next stripe. */
  int advance() {
    return next++;
  }

  long lap() {
    return lap;
  }

  /** Above the number of the last stripe. */
  int end() {
    return shard.stripes().end();
  }
}

package io.counterpart.cache.coded;

/**
 * The numbers of a shard's writes: they grow, over restarts too, since each life of a proxy has a
 * higher epoch. Not thread-safe. Layout: epoch 24 bits, counter 40.
 */
final class Sequences {
  private static final int COUNTER_BITS = 40;

  private long last;

  Sequences(int epoch) {
    last = (long) epoch << COUNTER_BITS;
  }

  long next() {
    return ++last;
  }

  /** The number given out last. */
  long last() {
    return last;
  }
}

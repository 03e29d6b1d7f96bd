package io.counterpart.cache.coded;

/**
 * The sequence numbers of a shard's writes. They grow over restarts too, because each start of a
 * proxy has a higher epoch. Not thread-safe. Layout: epoch 24 bits, counter 40.
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

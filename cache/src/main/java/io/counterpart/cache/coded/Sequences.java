package io.counterpart.cache.coded;

/**
 * The sequence numbers of a shard's writes. They grow over restarts too, because each start of a
 * proxy has a higher epoch. Not thread-safe. Layout: epoch 24 bits, counter 40.
 *
 * <p>An epoch has 2⁴⁰ numbers: those of 127 days at 100,000 writes a second. The last 2²⁰ are a
 * reserve. The first one of them ends the shard, whose next start has the next epoch; the others
 * are for whatever takes numbers until the end has reached it.
 */
final class Sequences {
  private static final int COUNTER_BITS = 40;
  private static final long RESERVE = 1 << 20;

  private final long nextEpoch;
  private final Runnable usedUp;
  private long last;

  /**
   * Numbers after one that was given out.
   *
   * @param usedUp ends the shard; called with each number of the reserve
   */
  Sequences(long last, Runnable usedUp) {
    this.last = last;
    this.nextEpoch = ((last >>> COUNTER_BITS) + 1) << COUNTER_BITS;
    this.usedUp = usedUp;
  }

  /** All numbers of an epoch. */
  static Sequences ofEpoch(int epoch, Runnable usedUp) {
    return new Sequences((long) epoch << COUNTER_BITS, usedUp);
  }

  /**
   * The next number.
   *
   * @throws IllegalStateException if the epoch has none left
   */
  long next() {
    long left = nextEpoch - last - 1;
    if (left == 0) {
      throw new IllegalStateException("no sequence is left of epoch " + (last >>> COUNTER_BITS));
    }
    last++;
    if (left <= RESERVE) {
      usedUp.run();
    }
    return last;
  }

  /** The number given out last. */
  long last() {
    return last;
  }
}

package io.counterpart.cache.coded.stripe;

/**
 * The sequence numbers of a shard's writes. They also grow across restarts, because each start of a
 * proxy has a higher epoch. Not thread-safe. Layout: epoch 24 bits, counter 40.
 *
 * <p>An epoch has 2⁴⁰ numbers, enough for 127 days at 100,000 writes a second. The last 2²⁰ are a
 * reserve. Its first number ends the shard, whose next start has the next epoch; the others serve
 * operations that still take numbers until the shard has ended.
 */
public final class Sequences {
  private static final int COUNTER_BITS = 40;
  private static final long RESERVE = 1 << 20;

  private final long nextEpoch;
  private final Runnable usedUp;
  private long last;

  /**
   * The numbers after a given one.
   *
   * @param usedUp ends the shard; called with each number of the reserve
   */
  Sequences(long last, Runnable usedUp) {
    this.last = last;
    this.nextEpoch = ((last >>> COUNTER_BITS) + 1) << COUNTER_BITS;
    this.usedUp = usedUp;
  }

  /** All numbers of an epoch. */
  public static Sequences ofEpoch(int epoch, Runnable usedUp) {
    return new Sequences((long) epoch << COUNTER_BITS, usedUp);
  }

  /**
   * The next number.
   *
   * @throws IllegalStateException if the epoch has none left
   */
  public long next() {
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

  /** The last number that was taken. */
  public long last() {
    return last;
  }
}

package io.counterpart.core.staleness.estimate;

import java.util.SplittableRandom;

/**
 * The latest gaps between writes and reads of the same key at this coordinator. A read that follows
 * no known write counts for nothing, so the estimate is about reads that do follow one. With few
 * gaps the answer is 0, which is the worst case. Thread-safe; bounded.
 */
public final class ObservedGaps implements Gaps {
  /** Gaps remembered. */
  public static final int CAPACITY = 1024;

  /** With fewer gaps a read is taken to follow the write at once. */
  public static final int LEAST = 100;

  private final long[] latest = new long[CAPACITY];
  private long count;

  /** Remembers a gap, 0 and above. */
  public synchronized void add(long nanos) {
    latest[(int) (count++ % CAPACITY)] = Math.max(0, nanos);
  }

  @Override
  public synchronized long drawNanos(SplittableRandom random) {
    return count < LEAST ? 0 : latest[random.nextInt((int) Math.min(count, CAPACITY))];
  }
}

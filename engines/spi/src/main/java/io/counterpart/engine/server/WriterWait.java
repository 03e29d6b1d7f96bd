package io.counterpart.engine.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The wait of one writer for a server that is away, from its first failure on: for as long as its
 * limit says, and after a second only as long as it may. Not thread-safe.
 */
public final class WriterWait {
  /** So long a server may be restarted, or busy, without anybody's noticing. */
  private static final long LEAST_MILLIS = 1000;

  private static final long QUESTION_MILLIS = 100;

  private final long begin = System.nanoTime();
  private final long limitMillis;
  private final BooleanSupplier mayWait;
  private long pauseMillis;
  private final long longestPauseMillis;

  /**
   * @param limitMillis from now to the last attempt
   * @param firstPauseMillis doubles with each pause
   * @param longestPauseMillis up to this
   * @param mayWait whether nobody needs what the writer holds
   */
  public WriterWait(
      long limitMillis, long firstPauseMillis, long longestPauseMillis, BooleanSupplier mayWait) {
    this.limitMillis = limitMillis;
    this.pauseMillis = firstPauseMillis;
    this.longestPauseMillis = longestPauseMillis;
    this.mayWait = mayWait;
  }

  /** Since the first failure. */
  public long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  /** Whether there is no time for another attempt. */
  public boolean isOver() {
    return elapsedMillis() >= limitMillis || isUnwanted();
  }

  private boolean isUnwanted() {
    return elapsedMillis() >= LEAST_MILLIS && !mayWait.getAsBoolean();
  }

  /** Sleeps before the next attempt, and not longer than the writer may wait. */
  public void pause() throws InterruptedException {
    long left = Math.min(pauseMillis, limitMillis - elapsedMillis());
    for (; left > 0 && !isUnwanted(); left -= QUESTION_MILLIS) {
      Thread.sleep(Math.min(left, QUESTION_MILLIS));
    }
    pauseMillis = Math.min(longestPauseMillis, 2 * pauseMillis);
  }
}

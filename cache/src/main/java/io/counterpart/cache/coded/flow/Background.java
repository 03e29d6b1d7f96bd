package io.counterpart.cache.coded.flow;

import io.counterpart.cache.backend.GuardedLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Schedules work that no client waits for. Background work runs on the shard's event loop, pauses
 * while conflicting work is under way, and takes at most about half of the loop's time. Belongs to
 * the shard's event loop.
 */
public final class Background {
  private static final long LEAST_PAUSE_NANOS = 1_000_000;

  private final GuardedLoop loop;
  private final BooleanSupplier isQuiet;
  private boolean ended;

  /**
   * @param isQuiet whether no work of the same or a more urgent kind is under way
   */
  public Background(GuardedLoop loop, BooleanSupplier isQuiet) {
    this.loop = loop;
    this.isQuiet = isQuiet;
  }

  public boolean mayWork() {
    return !ended && isQuiet.getAsBoolean();
  }

  /** Runs work after a delay, unless the shard has ended by then. */
  public void after(long millis, Runnable work) {
    schedule(TimeUnit.MILLISECONDS.toNanos(millis), work);
  }

  /**
   * Runs work after a pause as long as the preceding work took.
   *
   * @param beginNanos when the preceding work began, in {@link System#nanoTime}
   */
  public void afterPause(long beginNanos, Runnable work) {
    afterPause(beginNanos, 0, work);
  }

  /** As {@link #afterPause(long, Runnable)}, with a minimum pause. */
  public void afterPause(long beginNanos, long leastNanos, Runnable work) {
    long taken = System.nanoTime() - beginNanos;
    schedule(Math.max(Math.max(taken, leastNanos), LEAST_PAUSE_NANOS), work);
  }

  private void schedule(long nanos, Runnable work) {
    loop.schedule(
        () -> {
          if (!ended) {
            work.run();
          }
        },
        nanos,
        TimeUnit.NANOSECONDS);
  }

  /** Ends the shard's background work: scheduled work no longer runs. */
  public void end() {
    ended = true;
  }
}

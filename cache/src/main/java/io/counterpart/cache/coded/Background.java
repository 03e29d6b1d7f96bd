package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Schedules the work that nobody waits for. Background work runs on the shard's event loop, pauses
 * while conflicting work is under way, and takes at most about half of the loop's time. Belongs to
 * the shard's event loop.
 */
final class Background {
  private static final long LEAST_PAUSE_NANOS = 1_000_000;

  private final GuardedLoop loop;
  private final BooleanSupplier isQuiet;
  private boolean ended;

  /**
   * @param isQuiet whether there are no works of its kind, or more urgent ones
   */
  Background(GuardedLoop loop, BooleanSupplier isQuiet) {
    this.loop = loop;
    this.isQuiet = isQuiet;
  }

  boolean mayWork() {
    return !ended && isQuiet.getAsBoolean();
  }

  /** Runs work in some time, unless the shard has ended then. */
  void after(long millis, Runnable work) {
    schedule(TimeUnit.MILLISECONDS.toNanos(millis), work);
  }

  /**
   * Runs work after a pause as long as what was before it has taken.
   *
   * @param beginNanos when that began, as {@link System#nanoTime} has it
   */
  void afterPause(long beginNanos, Runnable work) {
    afterPause(beginNanos, 0, work);
  }

  /** As {@link #afterPause(long, Runnable)}, for a pause of at least so long. */
  void afterPause(long beginNanos, long leastNanos, Runnable work) {
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

  /** The shard ends: nothing more is begun. */
  void end() {
    ended = true;
  }
}

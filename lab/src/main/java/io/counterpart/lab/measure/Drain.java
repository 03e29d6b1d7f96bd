package io.counterpart.lab.measure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a table is drained: flushed everywhere, no compaction pending or running.
 *
 * <p>Idle must hold for several polls, because a strategy is asked for work only after the work
 * before has ended. A strategy whose estimate of pending work never falls to zero counts as drained
 * when for a longer time nothing runs and no byte is written.
 */
public final class Drain {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int IDLE_POLLS = 4;
  private static final Duration PAUSE_POLL = Duration.ofMillis(250);
  private static final int PAUSE_POLLS = 4;
  private static final int STUCK_ESTIMATE_POLLS = 40;

  private final TableProbe probe;
  private final Duration limit;

  /**
   * @param limit longest wait
   */
  public Drain(TableProbe probe, Duration limit) {
    this.probe = probe;
    this.limit = limit;
  }

  /**
   * Flushes on every node, then waits for idleness.
   *
   * @return time until the last work was seen to be over, the proof of idleness not counted
   * @throws TimeoutException if compaction still runs after the limit
   */
  public Duration flushAndAwait() throws TimeoutException {
    long start = System.nanoTime();
    probe.flush();
    return awaitIdle(start);
  }

  /** Waits for idleness without a flush; else as {@link #flushAndAwait}. */
  public Duration await() throws TimeoutException {
    return awaitIdle(System.nanoTime());
  }

  /**
   * Waits until no flush or compaction has run for a second, whatever the strategy still plans for
   * when the table is quiet: what one block left to do must not run beside the next.
   *
   * @throws TimeoutException if compaction still runs after the limit
   */
  public void awaitPause() throws TimeoutException {
    long start = System.nanoTime();
    int idle = 0;
    while (idle < PAUSE_POLLS) {
      idle = probe.activeCompactions() + probe.pendingFlushes() > 0 ? 0 : idle + 1;
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new TimeoutException(
            "%s: compaction still runs after %s".formatted(probe.table().qualified(), limit));
      }
      LockSupport.parkNanos(PAUSE_POLL.toNanos());
    }
  }

  private Duration awaitIdle(long start) throws TimeoutException {
    long written = -1;
    int quiet = 0;
    int idle = 0;
    long quietSince = System.nanoTime();
    while (true) {
      long now = System.nanoTime();
      TableCost counters = probe.counters();
      long total = counters.bytesFlushed() + counters.bytesCompacted();
      boolean running = probe.activeCompactions() > 0 || total != written;
      written = total;
      long pending = probe.pendingCompactions();
      if (running) {
        quiet = 0;
        quietSince = now;
      } else {
        quiet++;
      }
      idle = running || pending > 0 ? 0 : idle + 1;
      if (idle >= IDLE_POLLS || quiet >= STUCK_ESTIMATE_POLLS) {
        return Duration.ofNanos(quietSince - start);
      }
      if (now - start > limit.toNanos()) {
        throw new TimeoutException(
            "%s not drained after %d s: %d compactions pending"
                .formatted(probe.table().qualified(), limit.toSeconds(), pending));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL.toMillis()));
    }
  }
}

package io.counterpart.cassandra.compaction;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.utils.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Makes Cassandra look for work once a table has been quiet for long enough. Cassandra by itself
 * looks after a flush and otherwise once a minute. Not thread-safe: guarded by the owning
 * strategy's lock.
 */
final class QuietTimer {
  /**
   * A cancelled wake-up stays in Cassandra's queue until it would have come, and keeps its table
   * from being freed after DROP. So a longer wait is cut into such pieces.
   */
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final Schedule schedule;
  private final LongSupplier clockNanos;
  private @Nullable Future<?> next;
  private long dueNanos;

  /** Has the table looked at after a delay. */
  interface Schedule {
    Future<?> wakeAfter(long delayMillis);
  }

  QuietTimer(ColumnFamilyStore cfs) {
    this(
        delayMillis ->
            ScheduledExecutors.optionalTasks.schedule(
                () -> CompactionManager.instance.submitBackground(cfs),
                delayMillis,
                TimeUnit.MILLISECONDS),
        Clock.Global::nanoTime);
  }

  QuietTimer(Schedule schedule, LongSupplier clockNanos) {
    this.schedule = schedule;
    this.clockNanos = clockNanos;
  }

  /**
   * Wakes once after the delay, or after {@link #LONGEST}, unless it does so earlier anyway;
   * replaces a later wake-up.
   */
  void wakeAfter(Duration asked) {
    Duration delay = asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    long nowNanos = clockNanos.getAsLong();
    long wantedNanos = nowNanos + delay.toNanos();
    boolean waiting = next != null && dueNanos - nowNanos > 0;
    if (waiting && dueNanos - wantedNanos <= 0) {
      return;
    }
    cancel();
    dueNanos = wantedNanos;
    next = schedule.wakeAfter(delay.toMillis() + 1);
  }

  void cancel() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }
}

package io.counterpart.cassandra.compaction;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.jspecify.annotations.Nullable;

/**
 * Asks Cassandra to look for work when a table has been quiet for long enough: by itself it asks
 * after a flush, and else once a minute only. Not thread-safe: guarded by the owning strategy's
 * lock.
 */
final class QuietTimer {
  private final ColumnFamilyStore cfs;
  private @Nullable Future<?> next;
  private long dueNanos;

  QuietTimer(ColumnFamilyStore cfs) {
    this.cfs = cfs;
  }

  /** Wakes once after the delay; does nothing while an earlier wake-up is still to come. */
  void wakeAfter(Duration delay) {
    long now = System.nanoTime();
    if (next != null && dueNanos - now > 0) {
      return;
    }
    dueNanos = now + delay.toNanos();
    next =
        ScheduledExecutors.optionalTasks.schedule(
            () -> CompactionManager.instance.submitBackground(cfs),
            delay.toMillis() + 1,
            TimeUnit.MILLISECONDS);
  }

  void cancel() {
    if (next != null) {
      next.cancel(false);
    }
  }
}

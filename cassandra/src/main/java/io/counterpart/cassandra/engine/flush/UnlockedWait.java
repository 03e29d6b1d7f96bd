package io.counterpart.cassandra.engine.flush;

import java.util.concurrent.Future;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.UncheckedInterruptedException;

/**
 * Waiting of one who may hold the lock of a table's memtables. Every flush of the table needs it,
 * and so does the release of memory of all tables: others get it meanwhile.
 */
public final class UnlockedWait {
  private static final long POLL_MILLIS = 50;

  private UnlockedWait() {}

  /**
   * Returns when something is done. What the lock guards may have changed by then.
   *
   * @param lock held or not, and as before afterwards
   * @throws RuntimeException if it has failed, with its cause
   */
  public static void on(Future<?> done, Object lock) {
    try {
      while (Thread.holdsLock(lock) && !done.isDone()) {
        synchronized (lock) {
          lock.wait(POLL_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      throw new UncheckedInterruptedException(e);
    }
    FBUtilities.waitOnFuture(done);
  }
}

package io.counterpart.cache.store.behind;

import io.counterpart.cache.backend.GuardedLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a log of changes durable beside the event loop: a tenth of a second after a change, again
 * and again as long as changes come, one sync at a time. A log that has failed is renewed. Belongs
 * to the event loop, but for {@link #unsynced} and {@link #close}.
 */
final class ChangeSync implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ChangeSync.class);
  private static final int SYNC_MILLIS = 100;
  private static final int RENEW_MILLIS = 1000;
  private static final int CLOSE_SECONDS = 30;

  private final GuardedLoop loop;
  private final ChangeLog log;
  private final Renewal renewal;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(new DefaultThreadFactory("change-log-sync", true));

  private boolean scheduled;
  private boolean renewing;
  private boolean ended;

  /** Whether the log has a mark that the next sync is to cover. */
  private boolean marked;

  private long appended;
  private long synced;
  private volatile long unsynced;

  /** Begins the log anew with all pending changes. */
  @FunctionalInterface
  interface Renewal {
    void renew() throws IOException;
  }

  ChangeSync(GuardedLoop loop, ChangeLog log, Renewal renewal) {
    this.loop = loop;
    this.log = log;
    this.renewal = renewal;
  }

  /** Notes that the log has one more change. */
  void appended() {
    appended++;
    unsynced = appended - synced;
    syncSoon();
  }

  /**
   * Notes that the log has a mark of all being written. Without it the next process would bring
   * back what was truncated since.
   */
  void marked() {
    marked = true;
    syncSoon();
  }

  /** Begins no more syncs: closing the log makes it durable. */
  void end() {
    ended = true;
  }

  private void syncSoon() {
    if (!scheduled && !ended) {
      scheduled = true;
      loop.schedule(this::begin, SYNC_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void begin() {
    if (log.hasFailed()) {
      scheduled = false;
      renewIfFailed(); // whatever has failed: no later change may come
    } else if (!ended) {
      ChangeLog.Syncing due = log.unsynced();
      long upTo = appended;
      marked = false;
      thread.execute(() -> sync(due, upTo));
    }
  }

  private void sync(ChangeLog.Syncing due, long upTo) {
    try {
      due.sync();
      loop.execute(() -> synced(due, upTo));
    } catch (IOException e) {
      logger.warn("the log of changes is not durable: a loss of power would lose some", e);
      loop.execute(
          () -> {
            log.fail(e);
            ended(synced);
            renewIfFailed();
          });
    }
  }

  /** Renews a log that has failed, after a pause, again and again until it succeeds. */
  void renewIfFailed() {
    if (log.hasFailed() && !renewing && !ended) {
      renewing = true;
      loop.schedule(this::renew, RENEW_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void renew() {
    renewing = false;
    if (ended) {
      return;
    }
    try {
      renewal.renew();
      synced = appended;
      unsynced = 0;
      logger.info("the log of changes is durable again");
    } catch (IOException e) {
      logger.warn("the log of changes cannot be renewed yet: {}", e.toString());
      renewIfFailed();
    }
  }

  private void synced(ChangeLog.Syncing due, long upTo) {
    try {
      due.synced();
    } catch (IOException e) {
      logger.warn("files of the log of changes that are not needed stay for now", e);
    }
    ended(log.hasFailed() ? synced : upTo);
  }

  private void ended(long upTo) {
    scheduled = false;
    synced = Math.max(synced, upTo); // a renewal may have come first
    unsynced = appended - synced;
    if (unsynced > 0 || marked) {
      syncSoon();
    }
  }

  /** Number of changes that a loss of power would lose. Thread-safe. */
  long unsynced() {
    return unsynced;
  }

  /** Waits for the sync under way; after {@link #end}. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

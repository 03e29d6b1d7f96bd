package io.counterpart.cache.coded;

import io.counterpart.cache.metadata.LogSync;
import io.counterpart.cache.metadata.MetadataLog;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a thread of its own make the metadata log durable, one sync at a time, and runs what waits
 * for that: all that came until a sync began needs no other one (group commit). Belongs to the
 * shard's event loop.
 */
final class Durability {
  private static final Logger logger = LoggerFactory.getLogger(Durability.class);

  /** What nobody waits for is synced so much later, unless another one takes it along. */
  private static final Duration IDLE_PAUSE = Duration.ofMillis(100);

  /** A disk that is slower than this has writes wait for it. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MAX_BACKLOG_BYTES = 8 << 20;

  private final MetadataLog log;
  private final EventLoop loop;
  private final Duration pause;
  private final Runnable failed;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(new DefaultThreadFactory("metadata-sync", true));
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(
          Comparator.comparingLong(Waiter::position).thenComparingLong(Waiter::number));
  private long waiterNumber;
  private boolean syncing;
  private boolean scheduled;
  private boolean ended;
  private long startedNanos = System.nanoTime();

  /** Runs once all before a position is durable; the earlier number first. */
  private record Waiter(long position, long number, Runnable then) {}

  /**
   * @param pause between the beginnings of two syncs at least
   * @param failed is run when the disk fails
   */
  Durability(MetadataLog log, EventLoop loop, Duration pause, Runnable failed) {
    this.log = log;
    this.loop = loop;
    this.pause = pause;
    this.failed = failed;
  }

  /** Runs something once all before a position of the log is durable: now, or later. */
  void await(long position, Runnable then) {
    if (position <= log.durable()) {
      then.run();
    } else {
      waiters.add(new Waiter(position, waiterNumber++, then));
      syncAfter(pause);
    }
  }

  /** Has what was written be durable before long. */
  void request() {
    if (!scheduled && !syncing) {
      syncAfter(IDLE_PAUSE);
    }
  }

  /** Whether the disk is so slow that nothing new should be begun before it has caught up. */
  boolean isBehind() {
    return syncing && System.nanoTime() - startedNanos > SLOW_NANOS
        || log.end() - log.durable() > MAX_BACKLOG_BYTES && !waiters.isEmpty();
  }

  private void syncAfter(Duration least) {
    if (ended || syncing || scheduled && least != pause) {
      return;
    }
    long waitNanos = least.toNanos() - (System.nanoTime() - startedNanos);
    if (waitNanos > 0) {
      scheduled = true;
      loop.schedule(this::sync, waitNanos, TimeUnit.NANOSECONDS);
    } else {
      sync();
    }
  }

  private void sync() {
    scheduled = false;
    if (ended || syncing || log.end() == log.durable()) {
      return;
    }
    syncing = true;
    startedNanos = System.nanoTime();
    try {
      LogSync sync = log.beginSync();
      thread.execute(() -> force(sync));
    } catch (IOException e) {
      fail(e);
    }
  }

  private void force(LogSync sync) {
    try {
      sync.force();
      loop.execute(() -> forced(sync));
    } catch (IOException | RuntimeException e) {
      try {
        loop.execute(() -> fail(e));
      } catch (RejectedExecutionException closed) {
        logger.debug("the shard has ended", closed);
      }
    }
  }

  private void forced(LogSync sync) {
    syncing = false;
    if (ended) {
      return;
    }
    try {
      log.endSync(sync);
    } catch (IOException e) {
      fail(e);
      return;
    }
    while (!ended && !waiters.isEmpty() && waiters.peek().position() <= log.durable()) {
      waiters.remove().then().run();
    }
    if (!waiters.isEmpty()) {
      syncAfter(pause);
    }
  }

  private void fail(Exception why) {
    if (!ended) {
      logger.error("the metadata log cannot be synced", why);
      failed.run();
    }
  }

  /** Runs nothing any more; what waits never runs. */
  void end() {
    ended = true;
    waiters.clear();
    thread.shutdown();
  }
}

package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.metadata.LogSync;
import io.counterpart.cache.metadata.MetadataLog;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the metadata log durable by group commit. A thread of its own runs one sync at a time; each
 * sync serves every request that arrived before it began. Belongs to the shard's event loop.
 */
public final class Durability {
  private static final Logger logger = LoggerFactory.getLogger(Durability.class);

  /** Delay of a sync that nobody waits for, unless an earlier sync covers it. */
  private static final Duration IDLE_PAUSE = Duration.ofMillis(100);

  /** Duration of a sync above which writes wait for the disk. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MAX_BACKLOG_BYTES = 8 << 20;

  private final MetadataLog log;
  private final GuardedLoop loop;
  private final Duration pause;
  private final Runnable failed;
  private final ExecutorService thread;
  private LongSupplier copied = () -> Long.MAX_VALUE;
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(
          Comparator.comparingLong(Waiter::position).thenComparingLong(Waiter::number));
  private long waiterNumber;

  /** The highest position that a callback has waited for. */
  private long lastAwaited;

  private boolean syncing;
  private boolean scheduled;
  private boolean requested;
  private boolean running;
  private boolean ended;
  private long startedNanos = System.nanoTime();

  /**
   * A callback for the time when a position is durable; of equal positions, the earlier number runs
   * first.
   */
  private record Waiter(long position, long number, Runnable then) {}

  /**
   * @param pause least time between the beginnings of two syncs
   * @param failed runs when the disk fails
   */
  public Durability(MetadataLog log, GuardedLoop loop, Duration pause, Runnable failed) {
    this(
        log,
        loop,
        pause,
        failed,
        Executors.newSingleThreadExecutor(new DefaultThreadFactory("metadata-sync", true)));
  }

  public Durability(
      MetadataLog log, GuardedLoop loop, Duration pause, Runnable failed, ExecutorService thread) {
    this.log = log;
    this.thread = thread;
    this.loop = loop;
    this.pause = pause;
    this.failed = failed;
  }

  /**
   * Makes the log durable only as far as copies elsewhere have it.
   *
   * @param position of their end; {@link #advance} is called when it has grown
   */
  public void with(LongSupplier position) {
    copied = position;
  }

  /**
   * Position up to which the log survives a loss of power, and of this machine if it has copies.
   */
  long durable() {
    return Math.min(log.durable(), copied.getAsLong());
  }

  /** Runs the callbacks that copies elsewhere have made ready. */
  public void advance() {
    if (!ended) {
      runReady();
    }
  }

  /** Whether a callback waits, for this disk or for copies elsewhere. */
  public boolean isAwaited() {
    return !waiters.isEmpty();
  }

  /**
   * Runs a callback once everything before a position of the log is durable: now or later, but
   * after callbacks that wait for an earlier position.
   */
  void await(long position, Runnable then) {
    if (position <= durable() && !isReady()) {
      then.run();
    } else {
      waiters.add(new Waiter(position, waiterNumber++, then));
      lastAwaited = Math.max(lastAwaited, position);
      syncIfAwaited();
    }
  }

  /** Requests a sync before long. */
  void request() {
    if (syncing) {
      requested = true;
    } else if (!scheduled) {
      syncAfter(IDLE_PAUSE);
    }
  }

  /**
   * Whether the disk is so slow that new writes should wait for it. A checkpoint that makes
   * everything durable beside a sync ends that.
   */
  boolean isBehind() {
    long backlog = log.end() - durable();
    return backlog > 0 && syncing && System.nanoTime() - startedNanos > SLOW_NANOS
        || backlog > MAX_BACKLOG_BYTES && !waiters.isEmpty();
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
    if (ended || syncing) {
      return;
    }
    if (log.end() == log.durable()) {
      runReady(); // a checkpoint has made it durable
      return;
    }
    requested = false;
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
    runReady();
    syncIfAwaited();
    if (!syncing && requested) {
      syncAfter(IDLE_PAUSE);
    }
  }

  /** What only copies elsewhere lack needs no sync here. */
  private void syncIfAwaited() {
    if (!waiters.isEmpty() && lastAwaited > log.durable()) {
      syncAfter(pause);
    }
  }

  private boolean isReady() {
    return !waiters.isEmpty() && waiters.peek().position() <= durable();
  }

  private void runReady() {
    if (running) {
      return; // the loop below, further up the stack, goes on
    }
    running = true;
    while (!ended && isReady()) {
      loop.run(waiters.remove().then());
    }
    running = false;
  }

  private void fail(Exception why) {
    if (!ended) {
      logger.error("the metadata log cannot be synced", why);
      failed.run();
    }
  }

  /** Ends the syncs; waiting callbacks never run. */
  void end() {
    ended = true;
    waiters.clear();
    thread.shutdown();
  }
}

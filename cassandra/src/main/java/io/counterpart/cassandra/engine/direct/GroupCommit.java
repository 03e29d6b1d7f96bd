package io.counterpart.cassandra.engine.direct;

import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many threads' writes, committed in groups by one thread: while it commits one group, the next one
 * gathers. With n writers a commit that takes t serves up to n of them, so that each waits at most
 * 2 t: for the commit under way, and for its own.
 *
 * <p>The writers hold locks of Cassandra, so they wait for a bounded time, whatever the store does;
 * the committing thread holds none, and may wait longer. While one commit takes longer than that
 * time, further writes fail at once.
 *
 * <p>A group that fails is committed again write by write, so that one write which the store cannot
 * take fails alone. A writer that gave up had no effect if its write was not claimed by then.
 * Thread-safe.
 *
 * @param <T> a write
 */
final class GroupCommit<T> {
  private static final Logger logger = LoggerFactory.getLogger(GroupCommit.class);

  /** Makes writes durable, all that it claims, or throws. */
  interface Target<T> {

    /**
     * @param claimed the writes whose writers wait still; asked for once, when nothing can come
     *     between the writes and the store any more
     */
    void commit(Supplier<List<T>> claimed);
  }

  private static final class Waiting<T> {
    private final T write;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean abandoned;

    Waiting(T write) {
      this.write = write;
    }
  }

  private final String name;
  private final Executor thread;
  private final Supplier<Duration> patience;
  private final Target<T> target;
  private final Queue<Waiting<T>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();

  /** When the commit under way began; null if there is none. */
  private volatile @Nullable Long begunNanos;

  /**
   * @param name of the store, for messages
   * @param thread runs one task at a time
   * @param patience longest wait of a write
   */
  GroupCommit(String name, Executor thread, Supplier<Duration> patience, Target<T> target) {
    this.name = name;
    this.thread = thread;
    this.patience = patience;
    this.target = target;
  }

  /**
   * Returns when the write is durable.
   *
   * @throws StoreException if it is not; after a wait that was too long it may be later on
   */
  void put(T write) {
    Duration longest = patience.get();
    Long begun = begunNanos;
    if (begun != null && System.nanoTime() - begun > longest.toNanos()) {
      throw new StoreException(
          "%s is at one write for %d ms: this one is not tried"
              .formatted(name, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
    }
    Waiting<T> waiting = new Waiting<>(write);
    queue.add(waiting);
    try {
      if (running.compareAndSet(false, true)) {
        thread.execute(this::run);
      }
    } catch (RejectedExecutionException e) {
      waiting.abandoned = true;
      running.set(false);
      throw new StoreException(name + " takes no writes any more", e);
    }
    await(waiting, longest);
  }

  private void await(Waiting<T> waiting, Duration longest) {
    try {
      waiting.end.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      waiting.abandoned = true;
      throw new StoreException(
          "%s has not taken a write in %d ms; it may do so later"
              .formatted(name, longest.toMillis()),
          e);
    } catch (InterruptedException e) {
      waiting.abandoned = true;
      Thread.currentThread().interrupt();
      throw new StoreException(name + ": interrupted in a write", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StoreException(name + " cannot take a write: " + cause.getMessage(), cause);
    }
  }

  /** Writes that no commit has taken yet. */
  int waiting() {
    return queue.size();
  }

  private void run() {
    do {
      List<Waiting<T>> group = drained();
      while (!group.isEmpty()) {
        commit(group);
        group = drained();
      }
      running.set(false);
      // one that came in between has not begun a run of its own
    } while (!queue.isEmpty() && running.compareAndSet(false, true));
  }

  private List<Waiting<T>> drained() {
    List<Waiting<T>> group = new ArrayList<>();
    for (Waiting<T> next = queue.poll(); next != null; next = queue.poll()) {
      group.add(next);
    }
    return group;
  }

  private void commit(List<Waiting<T>> group) {
    Throwable failure = attempt(group);
    if (failure == null || group.size() == 1) {
      group.forEach(waiting -> end(waiting, failure));
      return;
    }
    for (Waiting<T> each : group) {
      end(each, each.abandoned ? failure : attempt(List.of(each)));
    }
  }

  private void end(Waiting<?> waiting, @Nullable Throwable failure) {
    if (failure == null) {
      waiting.end.complete(null);
    } else if (waiting.abandoned) {
      logger.warn("{} cannot take a write whose writer waits no more", name, failure);
    } else {
      waiting.end.completeExceptionally(failure);
    }
  }

  /** The failure, which belongs to those who wait; null if there is none. */
  private @Nullable Throwable attempt(List<Waiting<T>> group) {
    begunNanos = System.nanoTime();
    try {
      target.commit(
          () ->
              group.stream()
                  .filter(waiting -> !waiting.abandoned)
                  .map(waiting -> waiting.write)
                  .toList());
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    } finally {
      begunNanos = null;
    }
  }
}

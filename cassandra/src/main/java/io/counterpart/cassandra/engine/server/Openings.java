package io.counterpart.cassandra.engine.server;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What threads open, each key by one of them at a time. Who opens holds no lock: a server that
 * hangs holds up those who want the same, and nobody else.
 *
 * @param <K> what there is one of
 * @param <O> an opening under way
 */
public final class Openings<K, O> {
  private final Object lock;

  /** Guarded by the lock. */
  private final Map<K, O> running = new HashMap<>();

  /**
   * @param lock of what is open: to be held for all but {@link #get}
   */
  public Openings(Object lock) {
    this.lock = lock;
  }

  /**
   * What is open, or is opened now, by this thread. Not to be called within an opening.
   *
   * @param known what is open; null if nothing is. Under the lock, as {@code begin} and {@code end}
   * @param begin what an opening needs
   * @param work opens, under no lock
   * @param end makes known what was opened
   */
  public <W, V> V get(
      K key,
      Supplier<@Nullable V> known,
      Supplier<O> begin,
      Function<O, W> work,
      Function<W, V> end) {
    O opening;
    synchronized (lock) {
      await(key);
      V open = known.get();
      if (open != null) {
        return open;
      }
      opening = begin.get();
      running.put(key, opening);
    }
    try {
      W opened = work.apply(opening);
      synchronized (lock) {
        return end.apply(opened);
      }
    } finally {
      synchronized (lock) {
        running.remove(key);
        lock.notifyAll();
      }
    }
  }

  /** Returns when nobody opens a key. */
  public void await(K key) {
    boolean interrupted = false;
    while (isRunning(key)) {
      try {
        lock.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean isRunning(K key) {
    return running.containsKey(key);
  }

  public Collection<O> running() {
    return List.copyOf(running.values());
  }
}

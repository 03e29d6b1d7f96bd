package io.counterpart.engine.lmdb;

import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the transactions of an environment, since LMDB may resize its map and close only while
 * there are none. Thread-safe.
 *
 * <p>Who waits for that moment holds new transactions back, but for 50 ms at a time: a reader that
 * has one snapshot and wants a second would otherwise wait for itself.
 */
final class TransactionGate {
  private static final long HOLD_MILLIS = 50;
  private static final long REST_MILLIS = 5;

  private final String store;
  private final long limitNanos;
  private int active;
  private boolean held;
  private boolean closed;
  private @Nullable Runnable last;

  /**
   * @param store named in exceptions
   * @param limitMillis longest wait for transactions to end
   */
  TransactionGate(String store, long limitMillis) {
    this.store = store;
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
  }

  /**
   * @throws StoreClosedException after {@link #close}
   */
  synchronized void enter() {
    while (held && !closed) {
      await(HOLD_MILLIS);
    }
    if (closed) {
      throw new StoreClosedException(store);
    }
    active++;
  }

  synchronized void leave() {
    active--;
    notifyAll();
    runLast();
  }

  /** Runs an action while no transaction runs. */
  synchronized void alone(Runnable action) {
    long start = System.nanoTime();
    while (true) {
      if (closed) {
        throw new StoreClosedException(store);
      }
      if (isAloneWithin(HOLD_MILLIS)) {
        action.run();
        return;
      }
      if (System.nanoTime() - start > limitNanos) {
        throw new StoreException(store + ": " + active + " snapshots stay open, the map must grow");
      }
      await(REST_MILLIS);
    }
  }

  /**
   * Refuses further transactions; runs the action when the present ones have ended, which may be
   * now. A second call does nothing.
   */
  synchronized void close(Runnable action) {
    if (!closed) {
      closed = true;
      last = action;
      notifyAll();
      runLast();
    }
  }

  private void runLast() {
    Runnable action = last;
    if (active == 0 && action != null) {
      last = null;
      action.run();
    }
  }

  private boolean isAloneWithin(long millis) {
    long start = System.nanoTime();
    held = true;
    try {
      while (active > 0 && System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(millis)) {
        await(REST_MILLIS);
      }
      return active == 0;
    } finally {
      held = false;
      notifyAll();
    }
  }

  private void await(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(store + ": interrupted", e);
    }
  }
}

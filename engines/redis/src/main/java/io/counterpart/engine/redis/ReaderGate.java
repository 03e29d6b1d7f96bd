package io.counterpart.engine.redis;

import io.counterpart.engine.StoreAwayException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The gate before a server for those who read. It shuts when a call has waited in vain: readers
 * then fail at once, since Cassandra's threads that wait for this server could not serve other
 * tables. One reader at a time is let through to try, a second after the last one that failed.
 *
 * <p>Thread-safe.
 */
final class ReaderGate {
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final String server;
  private final long longestTryNanos;
  private final LongSupplier nanos;

  // guarded by this
  private @Nullable String reason;
  private long nextTry;

  /**
   * @param longestTryNanos after which a reader that tries is taken for lost
   * @param nanos a clock
   */
  ReaderGate(String server, long longestTryNanos, LongSupplier nanos) {
    this.server = server;
    this.longestTryNanos = longestTryNanos;
    this.nanos = nanos;
  }

  /**
   * Lets a reader through, or not.
   *
   * @throws StoreAwayException if the gate is shut and it is not time to try
   */
  void enter() {
    if (reason() != null && !isTimeToTry()) {
      throw new StoreAwayException(server + " does not answer, and is not asked: " + reason());
    }
  }

  private synchronized @Nullable String reason() {
    return reason;
  }

  private synchronized boolean isTimeToTry() {
    long now = nanos.getAsLong();
    if (reason != null && now - nextTry < 0) {
      return false;
    }
    nextTry = now + longestTryNanos;
    return true;
  }

  synchronized void shut(String why) {
    reason = why;
    nextTry = nanos.getAsLong() + PAUSE_NANOS;
  }

  /** A call failed without a wait: if it was the one that tried, the next may try after a pause. */
  synchronized void fail() {
    long soon = nanos.getAsLong() + PAUSE_NANOS;
    if (nextTry - soon > 0) {
      nextTry = soon;
    }
  }

  synchronized void open() {
    reason = null;
  }
}

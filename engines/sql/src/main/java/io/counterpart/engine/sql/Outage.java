package io.counterpart.engine.sql;

import io.counterpart.engine.StoreAwayException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server is known to be away. Readers then fail at once in place of waiting: Cassandra's
 * threads that wait for this server could not serve other tables. One reader at a time tries, a
 * second after the last one that failed.
 *
 * <p>Thread-safe.
 */
final class Outage {
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
  Outage(String server, long longestTryNanos, LongSupplier nanos) {
    this.server = server;
    this.longestTryNanos = longestTryNanos;
    this.nanos = nanos;
  }

  /**
   * Lets a reader through, or not.
   *
   * @throws StoreAwayException if the server is away and it is not time to try
   */
  synchronized void enter() {
    if (reason == null) {
      return;
    }
    long now = nanos.getAsLong();
    if (now - nextTry < 0) {
      throw new StoreAwayException(server + " cannot be reached: " + reason);
    }
    nextTry = now + longestTryNanos;
  }

  synchronized void begin(String why) {
    reason = why;
    nextTry = nanos.getAsLong() + PAUSE_NANOS;
  }

  synchronized void end() {
    reason = null;
  }
}

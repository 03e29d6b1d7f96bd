package io.counterpart.cache.coded;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Servers that have kept a write waiting. One is late until it answers, or for a second: nothing
 * may be under way on it, so that it has nothing to answer. Belongs to the shard's event loop.
 *
 * @param <S> server
 */
final class LateServers<S> {
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;

  /** Time at which each was found late. */
  private final Map<S, Long> found = new HashMap<>();

  /**
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  LateServers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void add(S server) {
    long now = nanoTime.getAsLong();
    found.values().removeIf(since -> now - since >= LATE_NANOS);
    found.put(server, now);
  }

  /** Notes that a server has answered. */
  void answered(S server) {
    found.remove(server);
  }

  boolean contains(S server) {
    Long since = found.get(server);
    return since != null && nanoTime.getAsLong() - since < LATE_NANOS;
  }
}

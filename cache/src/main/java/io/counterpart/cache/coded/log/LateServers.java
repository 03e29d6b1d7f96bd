package io.counterpart.cache.coded.log;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Servers that have kept a write waiting. One is late until it answers, or for a second: nothing
 * may be under way on it, so that it has nothing to answer. And it is late while it has items to
 * take that nobody needs any more: what it is sent is only queued behind them. Belongs to the
 * shard's event loop.
 *
 * @param <S> server
 */
final class LateServers<S> {
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;

  /** Time at which each was found late. */
  private final Map<S, Long> found = new HashMap<>();

  /** Number of items that nobody needs any more under way to each. */
  private final Map<S, Integer> unneeded = new HashMap<>();

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

  /** Notes that nobody needs an item any more that is under way to a server. */
  void beginUnneeded(S server) {
    unneeded.merge(server, 1, Integer::sum);
  }

  /** Notes that such an item has an outcome. */
  void endUnneeded(S server) {
    unneeded.computeIfPresent(server, (late, items) -> items == 1 ? null : items - 1);
  }

  boolean contains(S server) {
    if (unneeded.containsKey(server)) {
      return true;
    }
    Long since = found.get(server);
    return since != null && nanoTime.getAsLong() - since < LATE_NANOS;
  }
}

package io.counterpart.cache.proxy;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of clients' operations, since the proxy's start and since the last {@code stats reset}.
 * Thread-safe.
 */
public final class ClientCounts {
  /** The counters, under memcached's names in upper case. */
  public enum Count {
    TOTAL_CONNECTIONS,
    /** Clients that were turned away, because there were too many. */
    REJECTED_CONNECTIONS,
    /** Requests of all kinds; a request for many keys counts once. */
    CMD_TOTAL,
    CMD_GET,
    /** Commands that store a value, whatever their outcome. */
    CMD_SET,
    CMD_FLUSH,
    /** Commands {@code touch}, {@code gat}, and {@code mg} with a new expiry. */
    CMD_TOUCH,
    /** Commands {@code me}, the only ones that memcached counts as meta commands. */
    CMD_META,
    GET_HITS,
    GET_MISSES,
    /** Keys that could not be read, because servers were down or the store did not answer. */
    GET_UNAVAILABLE,
    DELETE_MISSES,
    DELETE_HITS,
    INCR_MISSES,
    INCR_HITS,
    DECR_MISSES,
    DECR_HITS,
    CAS_MISSES,
    CAS_HITS,
    CAS_BADVAL,
    TOUCH_HITS,
    TOUCH_MISSES,
    /** Those of the touches that also read. */
    GAT_HITS,
    GAT_MISSES,
    STORE_TOO_LARGE,
    STORE_NO_MEMORY,
    AUTH_CMDS,
    /** Wrong names or passwords. */
    AUTH_ERRORS,
    BYTES_READ,
    BYTES_WRITTEN,
    TOTAL_ITEMS;

    private final String stat = name().toLowerCase(Locale.ROOT);

    /** Its name for clients. */
    String stat() {
      return stat;
    }
  }

  private final LongAdder[] counts = new LongAdder[Count.values().length];
  private final AtomicLongArray atReset = new AtomicLongArray(counts.length);

  ClientCounts() {
    Arrays.setAll(counts, count -> new LongAdder());
  }

  void add(Count count) {
    counts[count.ordinal()].increment();
  }

  void add(Count count, long number) {
    counts[count.ordinal()].add(number);
  }

  /** The count since the proxy's start, whatever clients have reset. */
  public long sinceStart(Count count) {
    return counts[count.ordinal()].sum();
  }

  long sinceReset(Count count) {
    long before = atReset.get(count.ordinal()); // first: a reset may come in between
    return sinceStart(count) - before;
  }

  void reset() {
    for (Count count : Count.values()) {
      atReset.set(count.ordinal(), sinceStart(count));
    }
  }
}

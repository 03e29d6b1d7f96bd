package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The keys written lately through this coordinator: when, and by which session. A table of fixed
 * size with one entry a slot. Two keys that meet in a slot, or two sessions that write one key,
 * contest the slot: until the horizon passes, any session may have written any key of it. So memory
 * is bounded and a session's own write is never overlooked.
 *
 * <p>Thread-safe: a slot belongs to one of {@value #LOCKS} locks.
 */
public final class RecentWrites {
  // of a slot, which so is half a line of the processor's cache
  private static final int KEY = 0;
  private static final int SESSION = 1;
  private static final int WRITTEN = 2;
  private static final int CONTESTED = 3;
  private static final int FIELDS = 4;

  private static final long NEVER = Long.MIN_VALUE;
  private static final int LOCKS = 64;

  private final long horizonNanos;
  private final long[] fields;
  private final Object[] locks = new Object[LOCKS];

  /**
   * None yet.
   *
   * @param slots a power of two
   * @param horizon for how long a write counts
   */
  public RecentWrites(int slots, Duration horizon) {
    if (slots < 1 || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException("slots is %d, legal: a power of 2".formatted(slots));
    }
    horizonNanos = horizon.toNanos();
    fields = new long[slots * FIELDS];
    for (int at = 0; at < fields.length; at += FIELDS) {
      fields[at + WRITTEN] = NEVER;
      fields[at + CONTESTED] = NEVER;
    }
    Arrays.setAll(locks, i -> new Object());
  }

  /** A session wrote a key; both by a hash of 64 bits. */
  public void written(long key, long session, long nowNanos) {
    int slot = slot(key);
    long now = nowNanos == NEVER ? nowNanos + 1 : nowNanos;
    synchronized (lock(slot)) {
      if (isWithinHorizon(slot + WRITTEN, now)
          && (fields[slot + KEY] != key || fields[slot + SESSION] != session)) {
        fields[slot + CONTESTED] = now;
      }
      fields[slot + KEY] = key;
      fields[slot + SESSION] = session;
      fields[slot + WRITTEN] = now;
    }
  }

  /** False only if this session wrote no such key within the horizon, through this coordinator. */
  public boolean mayHaveWritten(long key, long session, long nowNanos) {
    int slot = slot(key);
    synchronized (lock(slot)) {
      boolean own = fields[slot + KEY] == key && fields[slot + SESSION] == session;
      return own && isWithinHorizon(slot + WRITTEN, nowNanos)
          || isWithinHorizon(slot + CONTESTED, nowNanos);
    }
  }

  /** The time since the key was written; empty if it was not within the horizon. */
  public OptionalLong sinceWrittenNanos(long key, long nowNanos) {
    int slot = slot(key);
    synchronized (lock(slot)) {
      long since = nowNanos - fields[slot + WRITTEN];
      return fields[slot + KEY] == key && isWithinHorizon(slot + WRITTEN, nowNanos) && since >= 0
          ? OptionalLong.of(since)
          : OptionalLong.empty();
    }
  }

  private boolean isWithinHorizon(int field, long nowNanos) {
    return fields[field] != NEVER && nowNanos - fields[field] <= horizonNanos;
  }

  /** The slot's first field. */
  private int slot(long key) {
    // the hash's upper bits are as good as its lower ones
    return ((int) (key ^ key >>> 32) & fields.length / FIELDS - 1) * FIELDS;
  }

  private Object lock(int slot) {
    return locks[slot / FIELDS % LOCKS];
  }
}

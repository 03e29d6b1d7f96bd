package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The keys written lately through this coordinator: when, and by which session. A table of fixed
 * size with one entry a slot. Two keys that meet in a slot, or two sessions that write one key,
 * contest the slot: until the horizon passes, any session may have written any key of it. So memory
 * is bounded and a session's own write is never overlooked.
 *
 * <p>Thread-safe.
 */
public final class RecentWrites {
  private final long horizonNanos;
  private final long[] keys;
  private final long[] sessions;
  private final long[] writtenNanos;
  private final boolean[] used;
  private final long[] contestedNanos;
  private final boolean[] contested;

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
    keys = new long[slots];
    sessions = new long[slots];
    writtenNanos = new long[slots];
    used = new boolean[slots];
    contestedNanos = new long[slots];
    contested = new boolean[slots];
  }

  /** A session wrote a key; both by a hash of 64 bits. */
  public synchronized void written(long key, long session, long nowNanos) {
    int slot = slot(key);
    boolean live = used[slot] && nowNanos - writtenNanos[slot] <= horizonNanos;
    if (live && (keys[slot] != key || sessions[slot] != session)) {
      contested[slot] = true;
      contestedNanos[slot] = nowNanos;
    }
    used[slot] = true;
    keys[slot] = key;
    sessions[slot] = session;
    writtenNanos[slot] = nowNanos;
  }

  /** False only if this session wrote no such key within the horizon, through this coordinator. */
  public synchronized boolean mayHaveWritten(long key, long session, long nowNanos) {
    int slot = slot(key);
    boolean own = used[slot] && keys[slot] == key && sessions[slot] == session;
    return own && nowNanos - writtenNanos[slot] <= horizonNanos
        || contested[slot] && nowNanos - contestedNanos[slot] <= horizonNanos;
  }

  /** The time since the key was written; empty if it was not within the horizon. */
  public synchronized OptionalLong sinceWrittenNanos(long key, long nowNanos) {
    int slot = slot(key);
    boolean known = used[slot] && keys[slot] == key;
    long since = nowNanos - writtenNanos[slot];
    return known && since >= 0 && since <= horizonNanos
        ? OptionalLong.of(since)
        : OptionalLong.empty();
  }

  private int slot(long key) {
    // the hash's upper bits are as good as its lower ones
    return (int) (key ^ key >>> 32) & keys.length - 1;
  }
}

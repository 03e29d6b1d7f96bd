package io.counterpart.cache.coded.stripe;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The known expiries of a shard's objects, 8 bytes each: hashes of keys, sorted by a time at which
 * the object has certainly expired. Times are coarse: late by up to a sixteenth of the remaining
 * time at the moment of noting, or by 2 s. Memory is bounded; above the bound the latest expiries
 * are forgotten. An object that was written again has several entries, and its record shows which
 * one is right. Belongs to the shard's event loop.
 */
public final class Expiries {
  private static final int MOST = 1 << 20;
  private static final int SHORTEST_STEP_SECONDS = 2;
  private static final int STEPS_OF_TIME_LEFT = 16;
  private static final long[] NONE = {};

  private final LongSupplier clockSeconds;
  private final int most;
  private final TreeMap<Long, Hashes> byTime = new TreeMap<>();
  private int size;
  private boolean hasForgotten;

  public Expiries(LongSupplier clockSeconds) {
    this(clockSeconds, MOST);
  }

  /**
   * @param most bound on the number of hashes, 1 or more
   */
  public Expiries(LongSupplier clockSeconds, int most) {
    this.clockSeconds = clockSeconds;
    this.most = most;
  }

  /**
   * Notes when an object expires.
   *
   * @param expirySeconds as in records: since 1970, unsigned; 0 for never, which is not noted
   */
  public void add(long keyHash, int expirySeconds) {
    if (expirySeconds == 0) {
      return;
    }
    long time = coarse(Integer.toUnsignedLong(expirySeconds));
    if (size >= most) {
      hasForgotten = true;
      if (byTime.lastKey() <= time) {
        return;
      }
      size -= Objects.requireNonNull(byTime.remove(byTime.lastKey())).count;
    }
    byTime.computeIfAbsent(time, number -> new Hashes()).add(keyHash);
    size++;
  }

  /** Notes an object that has expired and could not be deleted, for some seconds later. */
  public void addAgain(long keyHash) {
    add(keyHash, (int) clockSeconds.getAsLong() + SHORTEST_STEP_SECONDS);
  }

  /** The beginning of the next step after the expiry. */
  private long coarse(long expiry) {
    long left = Math.max(0, expiry - clockSeconds.getAsLong());
    long step = Math.max(SHORTEST_STEP_SECONDS, Long.highestOneBit(left / STEPS_OF_TIME_LEFT));
    return (expiry + step - 1) / step * step;
  }

  /** Hashes of objects that have expired, unless they were written again; each once. */
  public long[] takeExpired() {
    Map.Entry<Long, Hashes> first = byTime.firstEntry();
    if (first == null || first.getKey() > clockSeconds.getAsLong()) {
      return NONE;
    }
    byTime.remove(first.getKey());
    size -= first.getValue().count;
    return first.getValue().distinct();
  }

  /** Whether expiries were forgotten since the last call. */
  public boolean takeForgotten() {
    boolean forgotten = hasForgotten;
    hasForgotten = false;
    return forgotten;
  }

  int size() {
    return size;
  }

  /** A growing list of hashes. */
  private static final class Hashes {
    private long[] hashes = new long[4];
    private int count;

    void add(long hash) {
      if (count == hashes.length) {
        hashes = Arrays.copyOf(hashes, 2 * count);
      }
      hashes[count++] = hash;
    }

    long[] distinct() {
      return Arrays.stream(hashes, 0, count).sorted().distinct().toArray();
    }
  }
}

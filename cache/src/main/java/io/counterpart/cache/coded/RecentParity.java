package io.counterpart.cache.coded;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the parity of recently folded stripes, as all of its servers have it. A hit saves the
 * next fold the reading of n − k items. The least recently folded stripes are dropped first. When a
 * server fails, the whole cache is dropped, so that folds find out what is missing. Belongs to the
 * shard's event loop.
 */
final class RecentParity {
  /** Approximate bytes of an entry beside the parity. */
  private static final int OVERHEAD_BYTES = 150;

  private static final int FIRST_CAPACITY = 1024;
  private static final float LOAD_FACTOR = 0.75f;

  private final long maxBytes;
  private final LongSupplier losses;
  private final Map<Integer, Parity> stripes =
      new LinkedHashMap<>(FIRST_CAPACITY, LOAD_FACTOR, true);
  private long bytes;
  private long knownLosses;

  /**
   * The parity of a stripe.
   *
   * @param items bytes of all its items, not to be changed
   * @param folded sequence of the last write that they include
   */
  record Parity(byte[][] items, long folded) {
    private long cost() {
      return OVERHEAD_BYTES + (long) items.length * items[0].length;
    }
  }

  /**
   * @param maxBytes of parity and its overhead; 0 to keep none
   * @param losses grows when a server is lost
   */
  RecentParity(long maxBytes, LongSupplier losses) {
    this.maxBytes = maxBytes;
    this.losses = losses;
  }

  /** The parity of a stripe; null if it is not cached. */
  @Nullable Parity get(int stripe) {
    forgetIfLost();
    return stripes.get(stripe);
  }

  /** Caches the parity of a stripe; the caller is alone in it. */
  void put(int stripe, Parity parity) {
    forgetIfLost();
    remove(stripe);
    stripes.put(stripe, parity);
    bytes += parity.cost();
    Iterator<Parity> oldest = stripes.values().iterator();
    while (bytes > maxBytes) {
      bytes -= oldest.next().cost();
      oldest.remove();
    }
  }

  /** Drops a stripe whose parity changes, or is no more. */
  void remove(int stripe) {
    Parity removed = stripes.remove(stripe);
    bytes -= removed == null ? 0 : removed.cost();
  }

  private void forgetIfLost() {
    long now = losses.getAsLong();
    if (now != knownLosses) {
      knownLosses = now;
      clear();
    }
  }

  void clear() {
    stripes.clear();
    bytes = 0;
  }
}

package io.counterpart.cache.coded.stripe;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cache of what was written to servers last, bounded in bytes. The least recently used entries
 * are dropped first. When a server is lost, the whole cache is dropped, because what it holds may
 * be missing now, and whoever needs it must find that out. Belongs to the shard's event loop.
 *
 * @param <K> key
 * @param <V> value, not to be changed while it is here
 */
public final class RecentWrites<K, V> {
  /** Approximate bytes of an entry beside its value's. */
  private static final int OVERHEAD_BYTES = 200;

  private static final int FIRST_CAPACITY = 1024;
  private static final float LOAD_FACTOR = 0.75f;

  private final long maxBytes;
  private final ToLongFunction<V> bytesOf;
  private final LongSupplier losses;
  private final Map<K, V> values = new LinkedHashMap<>(FIRST_CAPACITY, LOAD_FACTOR, true);
  private long bytes;
  private long knownLosses;

  /**
   * @param maxBytes of values and their overhead; 0 to keep none
   * @param bytesOf a value's bytes
   * @param losses grows when a server is lost
   */
  public RecentWrites(long maxBytes, ToLongFunction<V> bytesOf, LongSupplier losses) {
    this.maxBytes = maxBytes;
    this.bytesOf = bytesOf;
    this.losses = losses;
  }

  /** The value, or null if it is not cached. */
  public @Nullable V get(K key) {
    forgetIfLost();
    return values.get(key);
  }

  /** Caches the present value. */
  public void put(K key, V value) {
    forgetIfLost();
    V before = values.put(key, value);
    bytes += cost(value) - (before == null ? 0 : cost(before));
    Iterator<V> oldest = values.values().iterator();
    while (bytes > maxBytes) {
      bytes -= cost(oldest.next());
      oldest.remove();
    }
  }

  /** Drops a value that is no more, or is unknown from now on. */
  public void remove(K key) {
    V removed = values.remove(key);
    bytes -= removed == null ? 0 : cost(removed);
  }

  /** Drops a value and passes it to the caller, who may change it; null if it is not cached. */
  public @Nullable V take(K key) {
    V value = get(key);
    remove(key);
    return value;
  }

  private void forgetIfLost() {
    long now = losses.getAsLong();
    if (now != knownLosses) {
      knownLosses = now;
      clear();
    }
  }

  public void clear() {
    values.clear();
    bytes = 0;
  }

  private long cost(V value) {
    return OVERHEAD_BYTES + bytesOf.applyAsLong(value);
  }
}

package io.counterpart.engine.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries in memory, of several stores, up to a number of bytes: those that are used least leave
 * (Caffeine's W-TinyLFU). Thread-safe.
 */
final class ResidentEntries {
  /** Of an entry beside its key and value: objects, arrays, the cache's own. */
  private static final int OVERHEAD_BYTES = 160;

  private final Cache<Key, Entry> cache;

  ResidentEntries(long mostBytes) {
    cache =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(mostBytes)
            .weigher(
                (Key key, Entry entry) ->
                    (int)
                        Math.min(
                            Integer.MAX_VALUE,
                            (long) OVERHEAD_BYTES + key.bytes().length + entry.value().length))
            .build();
  }

  /**
   * A value.
   *
   * @param version of the write that had ended last when it was read
   */
  record Entry(byte[] value, long version) {}

  private record Key(Share store, byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && store == key.store && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(store) + Arrays.hashCode(bytes);
    }
  }

  /** The entries of one more store. */
  Share share() {
    return new Share();
  }

  /** The entries of one store. */
  final class Share {

    @Nullable Entry get(byte[] key) {
      return cache.getIfPresent(new Key(this, key));
    }

    /**
     * Puts an entry if a condition holds, which is tested while no other change of the key runs.
     */
    void putIf(byte[] key, Entry entry, BooleanSupplier condition) {
      cache
          .asMap()
          .compute(new Key(this, key), (same, before) -> condition.getAsBoolean() ? entry : before);
    }

    void remove(byte[] key) {
      cache.invalidate(new Key(this, key));
    }

    /** Removes all entries of the store. */
    void clear() {
      cache.asMap().keySet().removeIf(key -> key.store() == this);
    }

    /** Bytes of all stores together. */
    long bytes() {
      cache.cleanUp();
      return cache.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }
  }
}

package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The expiries that the last changes gave to objects. memcached tells how long an object has left
 * by a clock of its own, which may be a second behind; a counter that is changed often would expire
 * a second later with each change. Belongs to the tier's event loop.
 */
final class KnownExpiries {
  private static final int MOST = 1 << 16;

  /** Beyond this difference the object in memory is another one. */
  private static final long MOST_SECONDS_OFF = 5;

  private final Map<Key, Long> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
          return size() > MOST;
        }
      };

  /**
   * Notes what the store has from now on.
   *
   * @param record null if it has nothing, or if that is not known
   */
  void note(Key key, @Nullable PersistentRecord record) {
    if (record == null || record.expirySeconds() == 0) {
      known.remove(key);
    } else {
      known.put(key, record.expirySeconds());
    }
  }

  /**
   * The expiry of an object.
   *
   * @param told by memory, in seconds since 1970
   */
  long of(Key key, long told) {
    Long expiry = known.get(key);
    return expiry != null && Math.abs(expiry - told) <= MOST_SECONDS_OFF ? expiry : told;
  }
}

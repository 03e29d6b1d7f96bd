package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Keys whose last write to the store failed. The store may have that write or get it later, while
 * memory holds the previous value. Above a bound the oldest keys are forgotten. Belongs to the
 * tier's event loop.
 */
final class UndecidedKeys {
  private final int limit;
  private final Set<Key> keys = new LinkedHashSet<>();

  UndecidedKeys(int limit) {
    this.limit = limit;
  }

  void add(Key key) {
    if (keys.add(key) && keys.size() > limit) {
      Iterator<Key> oldest = keys.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Removes a key, because the store has acknowledged a later write. */
  void remove(Key key) {
    if (!keys.isEmpty()) {
      keys.remove(key);
    }
  }

  boolean contains(Key key) {
    return !keys.isEmpty() && keys.contains(key);
  }
}

package io.counterpart.cache.coded.settings;

import io.counterpart.cache.protocol.Key;

/** The objects that may leave a full tier. Asked on the shard's event loop. */
public interface EvictionRule {
  /** All of them. */
  EvictionRule ALL =
      new EvictionRule() {
        @Override
        public boolean mayEvict(Key key) {
          return true;
        }

        @Override
        public boolean mayEvictAll() {
          return true;
        }
      };

  /** Whether memory need not have an object; one that it must have stays as if it were used. */
  boolean mayEvict(Key key);

  /** Whether all may leave now, so that nobody has to read their keys to ask. */
  default boolean mayEvictAll() {
    return false;
  }
}

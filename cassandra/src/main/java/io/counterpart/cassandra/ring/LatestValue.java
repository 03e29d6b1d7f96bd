package io.counterpart.cassandra.ring;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A memo of the latest value of a changing key: computed once for each key, however many threads
 * ask. While one thread computes, the others get the previous key's value; they wait only if there
 * is none. Values are published in the order of their keys, so no thread sees an older value after
 * a newer one. Thread-safe.
 *
 * @param <K> the key of the value; compared by {@code equals}
 */
final class LatestValue<K, V> {
  private final Computation<K, V> computation;
  private final ReentrantLock computing = new ReentrantLock();
  private volatile @Nullable Known<K, V> known;

  /** Makes a value of a key; may return the previous value itself where nothing changed. */
  interface Computation<K, V> {
    @Nullable V compute(K key, @Nullable V previous);
  }

  private record Known<K, V>(K key, @Nullable V value) {}

  LatestValue(Computation<K, V> computation) {
    this.computation = computation;
  }

  /**
   * @param current reads the key; whatever it reads must not be newer than what the computation
   *     will see
   */
  @Nullable V at(Supplier<K> current) {
    Known<K, V> before = known;
    if (before != null && before.key.equals(current.get())) {
      return before.value;
    }
    if (before == null) {
      computing.lock();
    } else if (!computing.tryLock()) {
      return before.value;
    }
    try {
      return computed(current.get());
    } finally {
      computing.unlock();
    }
  }

  private @Nullable V computed(K key) {
    Known<K, V> before = known;
    if (before != null && before.key.equals(key)) {
      return before.value;
    }
    V value = computation.compute(key, before == null ? null : before.value);
    known = new Known<>(key, value);
    return value;
  }

  /** The value computed last; computes it where there is none. */
  @Nullable V latest(Supplier<K> current) {
    Known<K, V> before = known;
    return before == null ? at(current) : before.value;
  }
}

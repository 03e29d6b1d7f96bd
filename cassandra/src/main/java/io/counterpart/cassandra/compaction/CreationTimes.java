package io.counterpart.cassandra.compaction;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongFunction;

/**
 * A cache of the times at which files were written to disk. Cassandra asks the file system at each
 * call, which may be slow while flushes wait for the strategy's lock; the answer never changes.
 * Thread-safe.
 *
 * @param <F> a file; equal to other instances of the same file
 */
final class CreationTimes<F> {
  private final ToLongFunction<F> read;
  private final ConcurrentMap<F, Long> knownMillis = new ConcurrentHashMap<>();

  /**
   * @param read asks the file system: milliseconds since the epoch
   */
  CreationTimes(ToLongFunction<F> read) {
    this.read = read;
  }

  /** Reads the times of files before they are needed under a lock. */
  void learn(Collection<F> files) {
    files.forEach(this::ofMillis);
  }

  /** Milliseconds since the epoch. */
  long ofMillis(F file) {
    Long known = knownMillis.get(file);
    if (known != null) {
      return known;
    }
    // not within computeIfAbsent: others of the same bin would wait for the file system
    long millis = read.applyAsLong(file);
    knownMillis.putIfAbsent(file, millis);
    return millis;
  }

  void forget(F file) {
    knownMillis.remove(file);
  }

  int size() {
    return knownMillis.size();
  }
}

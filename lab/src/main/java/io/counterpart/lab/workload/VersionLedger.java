package io.counterpart.lab.workload;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The newest version of every key that the client sent, and the newest that was acknowledged.
 *
 * <p>Versions count from 1; 0 means none. Eight bytes per key. One thread issues, any thread
 * acknowledges.
 */
public final class VersionLedger {
  /** What each key takes of the heap. */
  public static final int BYTES_PER_KEY = 8;

  private final AtomicIntegerArray issued;
  private final AtomicIntegerArray acknowledged;

  /**
   * @param keys number of keys, at least 1
   */
  public VersionLedger(int keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("keys %d: must be at least 1".formatted(keys));
    }
    issued = new AtomicIntegerArray(keys);
    acknowledged = new AtomicIntegerArray(keys);
  }

  /** Number of keys. */
  public int keys() {
    return issued.length();
  }

  /** The next version of a key, to be sent now. */
  public int issue(int key) {
    return issued.incrementAndGet(key);
  }

  /** Records that the cluster acknowledged a version. Acknowledgements may arrive in any order. */
  public void acknowledge(int key, int version) {
    acknowledged.accumulateAndGet(key, version, Math::max);
  }

  /** The newest version ever sent, acknowledged or not; 0 if none. */
  public int issued(int key) {
    return issued.get(key);
  }

  /** The newest acknowledged version; 0 if none. */
  public int acknowledged(int key) {
    return acknowledged.get(key);
  }
}

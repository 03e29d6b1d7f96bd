package io.counterpart.cache.store;

/**
 * An object as the persistent store keeps it.
 *
 * @param value its bytes; not to be changed
 * @param flags the client's flags, 32 bits
 * @param expirySeconds the first second since 1970 in which it is gone, below 2^32; 0 = never
 * @param stale whether a client has declared it stale
 * @param timestamp timestamp of its write; of two writes of a key the one with the higher timestamp
 *     counts, in whatever order they arrive
 */
public record PersistentRecord(
    byte[] value, int flags, long expirySeconds, boolean stale, long timestamp) {
  /** The same object with a new timestamp. */
  PersistentRecord at(long newTimestamp) {
    return new PersistentRecord(value, flags, expirySeconds, stale, newTimestamp);
  }

  /** Whether it has expired at a time, in seconds since 1970. */
  public boolean isExpired(long nowSeconds) {
    return expirySeconds != 0 && expirySeconds <= nowSeconds;
  }
}

package io.counterpart.cache.protocol;

/** An item of {@link ToyStore}, with memcached's own marks, one field each. */
final class ToyItem {

  final int flags;
  byte[] value;
  long expiresAtSeconds;
  long cas;
  long linkedAtSeconds;
  boolean binaryKey;
  boolean fetched;
  boolean stale;
  boolean tokenSent;

  ToyItem(int flags, long expiresAtSeconds, byte[] value) {
    this.flags = flags;
    this.expiresAtSeconds = expiresAtSeconds;
    this.value = value;
  }
}

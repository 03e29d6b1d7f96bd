package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;

/**
 * An object as its server holds it, checked.
 *
 * @param flags the client's flags, 32 bits
 * @param expirySeconds seconds since 1970, unsigned; 0 = never
 * @param sequence its version, the CAS token that clients see
 * @param value the client's bytes: a view of the buffer that was decoded, valid as long as that is
 */
public record StoredRecord(int flags, int expirySeconds, long sequence, ByteBuf value) {
  /** Whether it has expired at a time, in seconds since 1970. */
  public boolean isExpired(long nowSeconds) {
    return expirySeconds != 0 && Integer.toUnsignedLong(expirySeconds) <= nowSeconds;
  }
}

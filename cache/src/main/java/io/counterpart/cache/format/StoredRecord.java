package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;

/**
 * An object as its server holds it, verified.
 *
 * @param flags the client's flags, 32 bits
 * @param expirySeconds seconds since 1970, unsigned; 0 = never
 * @param marks {@link #STALE}, {@link #TOKEN_SENT}, both or 0
 * @param sequence of the write that made it
 * @param cas the CAS token that clients see: the sequence of the last write that was no mere change
 *     of expiry or marks
 * @param value the client's bytes: a view of the buffer that was decoded, valid as long as that is
 */
public record StoredRecord(
    int flags, int expirySeconds, int marks, long sequence, long cas, ByteBuf value) {
  /** Mark of a value that a client has declared stale. */
  public static final int STALE = 1;

  /** Mark of a value that one client was chosen to recompute. */
  public static final int TOKEN_SENT = 2;

  /** An object whose last write gave it a new CAS token. */
  public StoredRecord(int flags, int expirySeconds, int marks, long sequence, ByteBuf value) {
    this(flags, expirySeconds, marks, sequence, sequence, value);
  }

  /** Whether it has a mark. */
  public boolean has(int mark) {
    return (marks & mark) != 0;
  }

  /** Whether it has expired at a time, in seconds since 1970. */
  public boolean isExpired(long nowSeconds) {
    return expirySeconds != 0 && Integer.toUnsignedLong(expirySeconds) <= nowSeconds;
  }
}

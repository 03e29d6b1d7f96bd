package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.netty.buffer.ByteBuf;

/**
 * A write of a whole value, or of bytes before or after the present one.
 *
 * @param flags the client's flags, 32 bits; not used by APPEND and PREPEND
 * @param exptime likewise
 * @param cas the version that the object must have, in mode CAS, and in APPEND and PREPEND if it is
 *     not 0
 * @param invalidates whether an older version may write too, marking the object as stale
 * @param value the bytes; they stay the caller's
 */
public record StoreCommand(
    Key key, StoreMode mode, int flags, int exptime, long cas, boolean invalidates, ByteBuf value) {
  /** The same with another value. */
  public StoreCommand with(ByteBuf other) {
    return new StoreCommand(key, mode, flags, exptime, cas, invalidates, other);
  }
}

package io.counterpart.cache.tier;

import io.netty.buffer.ByteBuf;

/** What became of an operation that answers with an object. */
public sealed interface GetOutcome {
  /**
   * The object, as it is after the operation.
   *
   * @param flags the client's flags
   * @param cas its version
   * @param value the receiver's, to be released once
   */
  record Found(int flags, Expiration expiration, long cas, ByteBuf value) implements GetOutcome {}

  /**
   * No object.
   *
   * @param status why: {@link Status#NOT_FOUND} where there is none
   */
  record None(Status status) implements GetOutcome {}
}

package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.MetaItem;
import io.netty.buffer.ByteBuf;

/** The outcome of a read. */
public sealed interface GetOutcome {
  /**
   * The object.
   *
   * @param item its properties; only length, flags and version unless details were requested
   * @param value the receiver's, to be released once
   */
  record Found(MetaItem item, ByteBuf value) implements GetOutcome {
    /**
     * The same with a separate value instead of a part of a larger buffer; this value is released.
     */
    public Found copy() {
      if (!value.isDirect() || value.readableBytes() == 0) {
        return this;
      }
      ByteBuf copy = value.alloc().directBuffer(value.readableBytes()).writeBytes(value);
      value.release();
      return new Found(item, copy);
    }
  }

  /**
   * No object.
   *
   * @param status why: {@link Status#NOT_FOUND} where there is none
   */
  record None(Status status) implements GetOutcome {}
}

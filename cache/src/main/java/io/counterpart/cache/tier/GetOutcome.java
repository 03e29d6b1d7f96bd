package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.MetaItem;
import io.netty.buffer.ByteBuf;

/** What became of a read. */
public sealed interface GetOutcome {
  /**
   * The object.
   *
   * @param item what is known of it; only length, flags and version unless details were asked for
   * @param value the receiver's, to be released once
   */
  record Found(MetaItem item, ByteBuf value) implements GetOutcome {}

  /**
   * No object.
   *
   * @param status why: {@link Status#NOT_FOUND} where there is none
   */
  record None(Status status) implements GetOutcome {}
}

package io.counterpart.cache.coded.item;

import io.netty.buffer.ByteBuf;

/**
 * A value with zeros at its end, which are never in memory.
 *
 * @param bytes of the value
 * @param lengthBytes of both
 */
public record Padded(ByteBuf bytes, int lengthBytes) {
  /** Pads a value to a length; a longer value stays as it is. */
  public static Padded to(int lengthBytes, ByteBuf value) {
    return new Padded(value, Math.max(lengthBytes, value.readableBytes()));
  }

  /** A value without zeros. */
  public static Padded none(ByteBuf value) {
    return new Padded(value, value.readableBytes());
  }
}

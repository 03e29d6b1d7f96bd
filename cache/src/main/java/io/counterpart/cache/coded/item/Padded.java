package io.counterpart.cache.coded.item;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Pads values with zeros to a length. Thread-safe: no state. */
public final class Padded {
  private Padded() {}

  /** The value itself, if it is that long; else a copy, which needs no release. */
  public static ByteBuf to(int lengthBytes, ByteBuf value) {
    int length = value.readableBytes();
    if (length >= lengthBytes) {
      return value;
    }
    byte[] padded = new byte[lengthBytes];
    value.getBytes(value.readerIndex(), padded, 0, length);
    return Unpooled.wrappedBuffer(padded);
  }
}

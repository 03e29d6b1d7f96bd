package io.counterpart.cache.coded;

import io.counterpart.cache.format.RecordFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A record inside a slot. Thread-safe: no state. */
final class RecordBytes {
  private static final int LENGTH = 12;
  private static final int SEQUENCE = 16;

  private RecordBytes() {}

  /**
   * The record at the beginning of a slot, without the zeros after it; null if it cannot be one.
   */
  static byte @Nullable [] cut(byte @Nullable [] slot) {
    if (slot == null || slot.length < RecordFormat.HEADER_BYTES) {
      return null;
    }
    ByteBuf bytes = Unpooled.wrappedBuffer(slot);
    int length = RecordFormat.HEADER_BYTES + bytes.getUnsignedMediumLE(LENGTH);
    return length > slot.length ? null : Arrays.copyOf(slot, length);
  }

  /** Sequence of a record that has been checked. */
  static long sequence(byte[] record) {
    return Unpooled.wrappedBuffer(record).getLongLE(SEQUENCE);
  }
}

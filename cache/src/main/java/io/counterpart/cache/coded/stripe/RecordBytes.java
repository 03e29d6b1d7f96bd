package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.format.RecordFormat;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a record within a slot. Thread-safe: no state. */
public final class RecordBytes {
  private RecordBytes() {}

  /**
   * The record at the beginning of a slot, without the zeros after it; null if it cannot be one.
   */
  public static byte @Nullable [] cut(byte @Nullable [] slot) {
    if (slot == null || slot.length < RecordFormat.HEADER_BYTES) {
      return null;
    }
    int length = RecordFormat.lengthBytes(Unpooled.wrappedBuffer(slot));
    return length > slot.length ? null : Arrays.copyOf(slot, length);
  }

  /** Sequence of a verified record. */
  public static long sequence(byte[] record) {
    return RecordFormat.sequence(Unpooled.wrappedBuffer(record));
  }

  /** CAS token of a verified record. */
  static long cas(byte[] record) {
    return RecordFormat.cas(Unpooled.wrappedBuffer(record));
  }
}

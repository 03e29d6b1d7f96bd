package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Records: an object with what clients were promised of it, under a checksum that covers its key
 * too, so that one object's bytes never pass for another's. One for each thread: not thread-safe.
 */
public final class RecordFormat {
  /** Bytes before the value. */
  public static final int HEADER_BYTES = 24;

  /** The largest value, as memcached's default: 1 MiB. */
  public static final int MAX_VALUE_BYTES = 1 << 20;

  private static final int FLAGS = 4;
  private static final int EXPIRY = 8;
  private static final int LENGTH = 12;
  private static final int FORMAT = 15;
  private static final int SEQUENCE = 16;
  private static final byte VERSION = 1;

  private final Checksum checksum = new Checksum();

  /**
   * Appends a record. The key's and the value's readable bytes are left as they are.
   *
   * @throws IllegalArgumentException if the value is longer than {@value #MAX_VALUE_BYTES} bytes
   */
  public void encode(
      ByteBuf key, int flags, int expirySeconds, long sequence, ByteBuf value, ByteBuf out) {
    int length = value.readableBytes();
    if (length > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value of %d bytes: at most %d".formatted(length, MAX_VALUE_BYTES));
    }
    int start = out.writerIndex();
    out.writeIntLE(0);
    out.writeIntLE(flags);
    out.writeIntLE(expirySeconds);
    out.writeMediumLE(length);
    out.writeByte(VERSION);
    out.writeLongLE(sequence);
    out.writeBytes(value, value.readerIndex(), length);
    int covered = HEADER_BYTES - FLAGS + length;
    out.setIntLE(start, checksum.of(key, out, start + FLAGS, covered));
  }

  /**
   * The record of a key, in a buffer that may go on with zeros (a slot).
   *
   * @return null for anything that is not that record, whole: it counts as erased
   */
  public @Nullable StoredRecord decode(ByteBuf key, ByteBuf bytes) {
    int start = bytes.readerIndex();
    int readable = bytes.readableBytes();
    if (readable < HEADER_BYTES || bytes.getByte(start + FORMAT) != VERSION) {
      return null;
    }
    int length = bytes.getUnsignedMediumLE(start + LENGTH);
    if (length > readable - HEADER_BYTES) {
      return null;
    }
    int covered = HEADER_BYTES - FLAGS + length;
    if (bytes.getIntLE(start) != checksum.of(key, bytes, start + FLAGS, covered)) {
      return null;
    }
    return new StoredRecord(
        bytes.getIntLE(start + FLAGS),
        bytes.getIntLE(start + EXPIRY),
        bytes.getLongLE(start + SEQUENCE),
        bytes.slice(start + HEADER_BYTES, length));
  }
}

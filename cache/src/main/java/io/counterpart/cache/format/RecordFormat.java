package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Records: an object's value and metadata, under a checksum that also covers its key, so that one
 * object's bytes never pass for another's. Not thread-safe: one for each thread.
 */
public final class RecordFormat {
  /** Bytes before the value. */
  public static final int HEADER_BYTES = 32;

  /** The largest value, memcached's default: 1 MiB. */
  public static final int MAX_VALUE_BYTES = 1 << 20;

  private static final int FLAGS = 4;
  private static final int EXPIRY = 8;
  private static final int LENGTH = 12;
  private static final int FORMAT = 15;
  private static final int SEQUENCE = 16;
  private static final int CAS = 24;
  private static final int VERSION = 2;
  private static final int VERSION_MASK = 0xf;
  private static final int MARKS_SHIFT = 4;

  private final Checksum checksum = new Checksum();

  /**
   * The bytes of a record. The value's readable bytes are left as they are.
   *
   * @throws IllegalArgumentException if the value is longer than {@value #MAX_VALUE_BYTES} bytes
   */
  public byte[] encode(byte[] key, StoredRecord record) {
    ByteBuf value = record.value();
    int length = value.readableBytes();
    if (length > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value of %d bytes: at most %d".formatted(length, MAX_VALUE_BYTES));
    }
    byte[] bytes = new byte[HEADER_BYTES + length];
    ByteBuf out = Unpooled.wrappedBuffer(bytes);
    out.setIntLE(FLAGS, record.flags());
    out.setIntLE(EXPIRY, record.expirySeconds());
    out.setMediumLE(LENGTH, length);
    out.setByte(FORMAT, VERSION | record.marks() << MARKS_SHIFT);
    out.setLongLE(SEQUENCE, record.sequence());
    out.setLongLE(CAS, record.cas());
    value.getBytes(value.readerIndex(), bytes, HEADER_BYTES, length);
    out.setIntLE(0, checksum.of(key, out, FLAGS, HEADER_BYTES - FLAGS + length));
    return bytes;
  }

  /**
   * Decodes the record of a key from a buffer that zeros may follow (a slot).
   *
   * @return null for anything other than that complete record: it counts as erased
   */
  public @Nullable StoredRecord decode(byte[] key, ByteBuf bytes) {
    int start = bytes.readerIndex();
    int readable = bytes.readableBytes();
    if (readable < HEADER_BYTES) {
      return null;
    }
    int length = lengthBytes(bytes);
    if ((bytes.getByte(start + FORMAT) & VERSION_MASK) != VERSION || length > readable) {
      return null;
    }
    if (bytes.getIntLE(start) != checksum.of(key, bytes, start + FLAGS, length - FLAGS)) {
      return null;
    }
    return new StoredRecord(
        bytes.getIntLE(start + FLAGS),
        bytes.getIntLE(start + EXPIRY),
        bytes.getUnsignedByte(start + FORMAT) >>> MARKS_SHIFT,
        bytes.getLongLE(start + SEQUENCE),
        cas(bytes),
        bytes.slice(start + HEADER_BYTES, length - HEADER_BYTES));
  }

  /**
   * Length of the record at the beginning of a slot, header and value.
   *
   * @param slot at least {@value #HEADER_BYTES} bytes, which need not be verified
   */
  public static int lengthBytes(ByteBuf slot) {
    return HEADER_BYTES + slot.getUnsignedMediumLE(slot.readerIndex() + LENGTH);
  }

  /** Sequence of a verified record. */
  public static long sequence(ByteBuf record) {
    return record.getLongLE(record.readerIndex() + SEQUENCE);
  }

  /** CAS token of a verified record. */
  public static long cas(ByteBuf record) {
    return record.getLongLE(record.readerIndex() + CAS);
  }
}

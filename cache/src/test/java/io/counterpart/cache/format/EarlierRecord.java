package io.counterpart.cache.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Records as written by versions that knew only format 1. */
public final class EarlierRecord {
  private static final int HEADER_BYTES = 24;

  private EarlierRecord() {}

  /** The bytes of a record. */
  public static ByteBuf of(byte[] key, int expirySeconds, int marks, long sequence, String value) {
    byte[] bytes = value.getBytes(UTF_8);
    ByteBuf record = Unpooled.buffer();
    record.writeIntLE(0).writeIntLE(0).writeIntLE(expirySeconds).writeMediumLE(bytes.length);
    record.writeByte(1 | marks << 4).writeLongLE(sequence).writeBytes(bytes);
    int covered = HEADER_BYTES - Integer.BYTES + bytes.length;
    record.setIntLE(0, new Checksum().of(key, record, Integer.BYTES, covered));
    return record;
  }
}

package io.counterpart.cache.metadata;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The frame of a record: {@code crc32c u32 | length u24, kind u8 | body[length]}, little-endian.
 * The checksum covers everything after it.
 */
final class Frame {
  static final int HEADER_BYTES = 8;
  static final int MAX_BODY_BYTES = 1 << 20;

  /** {@code stripe u32 | chunk u8 | slot u8 | key}. */
  static final int ASSIGN = 1;

  /** {@code stripe u32 | chunk u8 | slot u8}. */
  static final int FREE = 2;

  /** {@code stripe u32 | class u8 | layout u64 | sequence u64}. */
  static final int STRIPE_OPENED = 3;

  /** {@code stripe u32}. */
  static final int SEALED = 4;

  /** {@code stripe u32}. */
  static final int STRIPE_FREED = 5;

  /** {@code version u64 | step u32 | rings u8 | (servers u16 | (length u8 | name)*)*}. */
  static final int TOPOLOGY = 6;

  /** {@code epoch u32}. */
  static final int EPOCH = 7;

  /** {@code position u64}: its own. Everything before it was on disk when it was written. */
  static final int SYNCED = 8;

  /** {@code servers u16 | (length u8 | name)*}. */
  static final int STALE_SERVERS = 9;

  /** {@code first u64 | end u64}. */
  static final int JOURNAL_NUMBERS = 10;

  // 11 and 12 are left out: earlier versions wrote them for another scheme

  /** {@code id u128}. */
  static final int TIER = 13;

  /** {@code position u64 | end u64}: its own, and the end of the part that is on disk. */
  static final int SYNCED_TO = 14;

  /** {@code sequence u64}: the highest of any stripe's opening; written by checkpoints. */
  static final int LAST_OPENED = 15;

  /** {@code number u32}: the file in which the log goes on, at the end of a file. */
  static final int GOES_ON = 16;

  static final int SLOT_BODY_BYTES = 6;
  static final int GOES_ON_BODY_BYTES = 4;
  static final int SYNCED_BODY_BYTES = 8;
  static final int SYNCED_TO_BODY_BYTES = 16;

  private static final int LENGTH_BITS = 24;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

  private Frame() {}

  /** Writes kind, length and checksum of a frame whose body is in place. */
  static void complete(ByteBuffer bytes, int at, int kind, int bodyBytes) {
    bytes.putInt(at + 4, bodyBytes | kind << LENGTH_BITS);
    bytes.putInt(at, checksum(bytes, at, bodyBytes));
  }

  static int kind(ByteBuffer bytes, int at) {
    return bytes.getInt(at + 4) >>> LENGTH_BITS;
  }

  static int bodyBytes(ByteBuffer bytes, int at) {
    return bytes.getInt(at + 4) & LENGTH_MASK;
  }

  /** Whether a complete frame with the right checksum begins at a place. */
  static boolean isIntact(ByteBuffer bytes, int at, int end) {
    if (end - at < HEADER_BYTES) {
      return false;
    }
    int length = bodyBytes(bytes, at);
    return length <= end - at - HEADER_BYTES && bytes.getInt(at) == checksum(bytes, at, length);
  }

  /** Whether the frame of a sync mark begins at a place, and was written for that place. */
  static boolean isSyncMark(ByteBuffer bytes, int at, int end, int segment) {
    return end - at >= HEADER_BYTES + SYNCED_BODY_BYTES
        && bytes.getInt(at + 4) == (SYNCED_BODY_BYTES | SYNCED << LENGTH_BITS)
        && bytes.getLong(at + HEADER_BYTES) == LogPosition.of(segment, at)
        && isIntact(bytes, at, end);
  }

  /** End of the durable part according to a concurrent sync's mark at a place; else 0. */
  static long syncedTo(ByteBuffer bytes, int at, int end, int segment) {
    boolean isMark =
        end - at >= HEADER_BYTES + SYNCED_TO_BODY_BYTES
            && bytes.getInt(at + 4) == (SYNCED_TO_BODY_BYTES | SYNCED_TO << LENGTH_BITS)
            && bytes.getLong(at + HEADER_BYTES) == LogPosition.of(segment, at)
            && isIntact(bytes, at, end);
    return isMark ? bytes.getLong(at + HEADER_BYTES + Long.BYTES) : 0;
  }

  /**
   * The file in which the log goes on after a whole one; 0 if that does not say so. Follows the
   * frames from the first one on, because a key may hold any bytes, also those of a frame.
   */
  static int goesOnIn(ByteBuffer bytes, int segment) {
    int mark = bytes.limit() - HEADER_BYTES - SYNCED_BODY_BYTES;
    int at = mark - HEADER_BYTES - GOES_ON_BODY_BYTES;
    boolean says =
        at >= LogFileHeader.BYTES
            && bytes.getInt(at + 4) == (GOES_ON_BODY_BYTES | GOES_ON << LENGTH_BITS)
            && isIntact(bytes, at, mark)
            && isSyncMark(bytes, mark, bytes.limit(), segment)
            && isBegin(bytes, at);
    return says ? bytes.getInt(at + HEADER_BYTES) : 0;
  }

  private static boolean isBegin(ByteBuffer bytes, int offset) {
    int at = LogFileHeader.BYTES;
    while (at < offset) {
      at += HEADER_BYTES + bodyBytes(bytes, at);
    }
    return at == offset;
  }

  private static int checksum(ByteBuffer bytes, int at, int bodyBytes) {
    CRC32C crc = new CRC32C();
    if (bytes.hasArray()) {
      crc.update(bytes.array(), bytes.arrayOffset() + at + 4, HEADER_BYTES - 4 + bodyBytes);
    } else {
      ByteBuffer part = bytes.duplicate();
      part.limit(at + HEADER_BYTES + bodyBytes).position(at + 4);
      crc.update(part);
    }
    return (int) crc.getValue();
  }
}

package io.counterpart.cache.store.behind;

import io.counterpart.cache.metadata.disk.DurableFiles;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.PersistentRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Changes as bytes, little-endian: {@code crc32c u32 | length u32 | timestamp u64 | expiry u64 |
 * flags u32 | kind u8, keyLength u8 | key | value}. The length counts the bytes after it, and the
 * checksum covers the length and those bytes. Kinds: 0 a write, 1 a deletion, 2 a write of a stale
 * value, 3 a mark: the file was on disk up to its timestamp, a place in the file; its expiry is its
 * own place, so that bytes of a value are no mark. A mark with the flags 1 tells that the store has
 * all changes before it, in this file and in earlier ones; at the beginning of a file it makes the
 * earlier files needless, whatever is left of them. Thread-safe: no state.
 */
final class ChangeFormat {
  private static final int FRAME_BYTES = 8;
  private static final int FIXED_BYTES = 22;
  private static final byte WRITE = 0;
  private static final byte DELETION = 1;
  private static final byte STALE = 2;
  private static final byte MARK = 3;
  private static final int MARK_BYTES = FRAME_BYTES + FIXED_BYTES;

  private static final int ALL_WRITTEN = 1;

  /** Of the flags, from the beginning. */
  private static final int FLAGS_AT = FRAME_BYTES + 16;

  /** Of the kind, from the beginning. */
  private static final int KIND_AT = FRAME_BYTES + 20;

  private ChangeFormat() {}

  static ByteBuffer encode(Change change) {
    PersistentRecord record = change.record();
    byte[] key = change.key().bytes();
    byte[] value = record == null ? new byte[0] : record.value();
    int length = FIXED_BYTES + key.length + value.length;
    ByteBuffer bytes = ByteBuffer.allocate(FRAME_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0).putInt(length).putLong(change.timestamp());
    bytes.putLong(record == null ? 0 : record.expirySeconds());
    bytes.putInt(record == null ? 0 : record.flags());
    bytes.put(record == null ? DELETION : record.stale() ? STALE : WRITE);
    bytes.put((byte) key.length).put(key).put(value);
    bytes.flip();
    bytes.putInt(0, checksum(bytes, 0, length));
    return bytes;
  }

  /**
   * A mark.
   *
   * @param durable end of the part of the file that is on disk
   * @param at its own place in the file
   */
  static ByteBuffer mark(long durable, long at) {
    return mark(durable, at, 0);
  }

  /** A mark of a place before which nothing is needed: the store has all of it. */
  static ByteBuffer allWritten(long at) {
    return mark(0, at, ALL_WRITTEN);
  }

  private static ByteBuffer mark(long durable, long at, int flags) {
    ByteBuffer bytes = ByteBuffer.allocate(MARK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0).putInt(FIXED_BYTES).putLong(durable).putLong(at).putInt(flags);
    bytes.put(MARK).put((byte) 0).flip();
    bytes.putInt(0, checksum(bytes, 0, FIXED_BYTES));
    return bytes;
  }

  /** Whether the complete entry at a place is a mark. */
  static boolean isMark(ByteBuffer bytes, int at) {
    return bytes.get(at + KIND_AT) == MARK;
  }

  /** Whether the complete mark at a place tells that the store has all that is before it. */
  static boolean isAllWritten(ByteBuffer bytes, int at) {
    return bytes.getInt(at + FLAGS_AT) == ALL_WRITTEN;
  }

  /** Whether a file begins with a mark that tells that the store has all of the files before it. */
  static boolean isReplacement(Path file) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(MARK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file)) {
      channel.read(first);
    }
    first.flip();
    return length(first, 0) == MARK_BYTES && isMark(first, 0) && isAllWritten(first, 0);
  }

  /** End of the durable part according to the mark at a place; 0 if none is there. */
  static long durable(ByteBuffer bytes, int at) {
    boolean isMark =
        bytes.limit() - at >= MARK_BYTES
            && bytes.getInt(at + Integer.BYTES) == FIXED_BYTES
            && bytes.getLong(at + FRAME_BYTES + Long.BYTES) == at
            && isMark(bytes, at)
            && length(bytes, at) == MARK_BYTES;
    return isMark ? bytes.getLong(at + FRAME_BYTES) : 0;
  }

  /** Bytes of the complete change or mark that begins at a place; 0 if there is none. */
  static int length(ByteBuffer bytes, int at) {
    int left = bytes.limit() - at;
    if (left < FRAME_BYTES + FIXED_BYTES) {
      return 0;
    }
    int length = bytes.getInt(at + 4);
    boolean isWhole =
        length >= FIXED_BYTES
            && length <= left - FRAME_BYTES
            && bytes.getInt(at) == checksum(bytes, at, length);
    return isWhole ? FRAME_BYTES + length : 0;
  }

  /** Decodes the complete change that begins at a place. */
  static Change decode(ByteBuffer bytes, int at) {
    int length = bytes.getInt(at + 4);
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    in.position(at + FRAME_BYTES).limit(at + FRAME_BYTES + length);
    long timestamp = in.getLong();
    long expiry = in.getLong();
    int flags = in.getInt();
    byte kind = in.get();
    byte[] key = new byte[in.get() & 0xff];
    in.get(key);
    byte[] value = new byte[in.remaining()];
    in.get(value);
    @Nullable PersistentRecord record =
        kind == DELETION
            ? null
            : new PersistentRecord(value, flags, expiry, kind == STALE, timestamp);
    return new Change(Key.of(key), record, timestamp);
  }

  private static int checksum(ByteBuffer bytes, int at, int length) {
    return DurableFiles.checksum(bytes, at + 4, at + FRAME_BYTES + length);
  }
}

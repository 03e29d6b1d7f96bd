package io.counterpart.cache.metadata.copy;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a log's file, and what the owner tells with them. On the wire: {@code start u32 | next
 * u32 | counts u8 | missing u8 | end u64 | bytes}, big-endian.
 *
 * @param start number of the first file that counts
 * @param next number of the file that follows, if the piece reaches the end of an ended one; else 0
 * @param counts whether the owner waits for this copy
 * @param isMissing whether there is no such file any more
 * @param end position of the log's end
 * @param bytes none if the log ends here
 */
public record CopyPiece(
    int start, int next, boolean counts, boolean isMissing, long end, byte[] bytes) {
  private static final int HEAD_BYTES = 2 * Integer.BYTES + 2 + Long.BYTES;

  /** Whether it tells more than where the log ends. */
  public boolean isNews() {
    return bytes.length > 0 || next > 0 || isMissing;
  }

  /** The form on the wire. */
  public byte[] encode() {
    return ByteBuffer.allocate(HEAD_BYTES + bytes.length)
        .putInt(start)
        .putInt(next)
        .put((byte) (counts ? 1 : 0))
        .put((byte) (isMissing ? 1 : 0))
        .putLong(end)
        .put(bytes)
        .array();
  }

  /** Parses the form on the wire; null if it is none. */
  public static @Nullable CopyPiece decode(byte[] message) {
    if (message.length < HEAD_BYTES) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(message);
    int start = in.getInt();
    int next = in.getInt();
    boolean counts = in.get() != 0;
    boolean isMissing = in.get() != 0;
    long end = in.getLong();
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return new CopyPiece(start, next, counts, isMissing, end, bytes);
  }
}

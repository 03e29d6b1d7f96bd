package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Parity items: the parity bytes of one chunk, and the last write that they include. Not
 * thread-safe.
 */
public final class ParityFormat {
  /** Bytes before the parity. */
  public static final int HEADER_BYTES = 16;

  private static final int SLOTS = 4;
  private static final int PARITY = 6;
  private static final int FORMAT = 7;
  private static final int FOLDED = 8;
  private static final byte VERSION = 1;

  private final Checksum checksum = new Checksum();

  /**
   * A verified parity item.
   *
   * @param parity number of the stripe's parity chunk, from 0
   * @param folded every journal entry of the stripe up to this sequence is in the bytes
   * @param bytes a view of the decoded buffer
   */
  public record Parity(int parity, int slots, long folded, ByteBuf bytes) {}

  /** Appends an item. */
  public void encode(Parity item, ByteBuf out) {
    int length = item.bytes().readableBytes();
    int start = out.writerIndex();
    out.writeIntLE(0);
    out.writeShortLE(item.slots());
    out.writeByte(item.parity());
    out.writeByte(VERSION);
    out.writeLongLE(item.folded());
    out.writeBytes(item.bytes(), item.bytes().readerIndex(), length);
    out.setIntLE(start, checksum.of(out, start + SLOTS, HEADER_BYTES - SLOTS + length));
  }

  /** The {@code folded} of an item that nobody has verified; −1 if it is too short. */
  public static long folded(ByteBuf item) {
    return item.readableBytes() < HEADER_BYTES ? -1 : item.getLongLE(item.readerIndex() + FOLDED);
  }

  /**
   * The item in all readable bytes; null if they are not a complete item, which counts as erased.
   */
  public @Nullable Parity decode(ByteBuf bytes) {
    int start = bytes.readerIndex();
    int length = bytes.readableBytes() - HEADER_BYTES;
    if (length < 0
        || bytes.getByte(start + FORMAT) != VERSION
        || bytes.getIntLE(start)
            != checksum.of(bytes, start + SLOTS, HEADER_BYTES - SLOTS + length)) {
      return null;
    }
    return new Parity(
        bytes.getUnsignedByte(start + PARITY),
        bytes.getUnsignedShortLE(start + SLOTS),
        bytes.getLongLE(start + FOLDED),
        bytes.slice(start + HEADER_BYTES, length));
  }
}

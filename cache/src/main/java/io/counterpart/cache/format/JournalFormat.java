package io.counterpart.cache.format;

import io.counterpart.cache.format.JournalEntry.Kind;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Journal entries, one after the other in a server's journal item. Not thread-safe. */
public final class JournalFormat {
  /** Bytes of an entry before its delta and key. */
  public static final int HEADER_BYTES = 32;

  private static final int BODY = 4;
  private static final int KIND = 7;
  private static final int STRIPE = 8;
  private static final int CHUNK = 12;
  private static final int KEY_LENGTH = 13;
  private static final int SLOT = 14;
  private static final int SEQUENCE = 16;
  private static final int PREVIOUS = 24;
  private static final int MAX_KEY_BYTES = 250;

  private final Checksum checksum = new Checksum();

  /** Size of an entry. */
  public static int bytes(JournalEntry entry) {
    return HEADER_BYTES + entry.delta().readableBytes() + entry.key().readableBytes();
  }

  /**
   * Appends an entry.
   *
   * @throws IllegalArgumentException if the key is longer than {@value #MAX_KEY_BYTES} bytes
   */
  public void encode(JournalEntry entry, ByteBuf out) {
    int key = entry.key().readableBytes();
    if (key > MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "key of %d bytes: at most %d".formatted(key, MAX_KEY_BYTES));
    }
    int delta = entry.delta().readableBytes();
    int start = out.writerIndex();
    out.writeIntLE(0);
    out.writeMediumLE(delta + key);
    out.writeByte(entry.kind().ordinal());
    out.writeIntLE(entry.stripe());
    out.writeByte(entry.chunk());
    out.writeByte(key);
    out.writeShortLE(entry.slot());
    out.writeLongLE(entry.sequence());
    out.writeLongLE(entry.previous());
    out.writeBytes(entry.delta(), entry.delta().readerIndex(), delta);
    out.writeBytes(entry.key(), entry.key().readerIndex(), key);
    out.setIntLE(start, checksum.of(out, start + BODY, HEADER_BYTES - BODY + delta + key));
  }

  /**
   * Decodes the next entry, whose delta and key are views of the buffer.
   *
   * @return null at the end of the buffer, and before an incomplete entry: its bytes are left
   *     unread, so that the reader can detect the damage
   */
  public @Nullable JournalEntry decode(ByteBuf journal) {
    int start = journal.readerIndex();
    int readable = journal.readableBytes();
    if (readable < HEADER_BYTES) {
      return null;
    }
    int body = journal.getUnsignedMediumLE(start + BODY);
    int key = journal.getUnsignedByte(start + KEY_LENGTH);
    int kind = journal.getUnsignedByte(start + KIND);
    if (body > readable - HEADER_BYTES
        || key > body
        || kind >= Kind.values().length
        || journal.getIntLE(start)
            != checksum.of(journal, start + BODY, HEADER_BYTES - BODY + body)) {
      return null;
    }
    journal.skipBytes(HEADER_BYTES + body);
    int delta = body - key;
    return new JournalEntry(
        Kind.values()[kind],
        journal.getIntLE(start + STRIPE),
        journal.getUnsignedByte(start + CHUNK),
        journal.getUnsignedShortLE(start + SLOT),
        journal.getLongLE(start + SEQUENCE),
        journal.getLongLE(start + PREVIOUS),
        journal.slice(start + HEADER_BYTES, delta),
        journal.slice(start + HEADER_BYTES + delta, key));
  }
}

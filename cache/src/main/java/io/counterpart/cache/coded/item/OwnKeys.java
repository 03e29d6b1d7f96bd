package io.counterpart.cache.coded.item;

import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the tier's own items. They begin with bytes that clients may not use and go to servers in
 * base64. Thread-safe: no state.
 */
public final class OwnKeys {
  private static final byte[] PREFIX = {0, 0x1f, 'c'};
  private static final byte PARITY = 'P';
  private static final byte JOURNAL = 'J';
  private static final byte UNSETTLED = 'U';

  /** Of the shard in keys on servers: a server belongs to one shard. */
  private static final int NO_NUMBER = 0;

  /** Key of the item that names a server's owner; an emptied server has none. */
  public static final Key MARK = Key.of(begin((byte) 'M', NO_NUMBER, 0).array());

  /** Length of the key of a journal item. */
  static final int JOURNAL_KEY_BYTES = PREFIX.length + 2 + Long.BYTES;

  /** Length of the key of a parity chunk. */
  public static final int PARITY_KEY_BYTES = PREFIX.length + 2 + Integer.BYTES + 1;

  private OwnKeys() {}

  /** Whether a key is reserved for the tier. */
  public static boolean isOwn(Key key) {
    byte[] bytes = key.bytes();
    return bytes.length >= PREFIX.length
        && bytes[0] == PREFIX[0]
        && bytes[1] == PREFIX[1]
        && bytes[2] == PREFIX[2];
  }

  /** Key of a parity chunk, 0 to n − k − 1. */
  public static Key parity(int stripe, int parity) {
    return Key.of(begin(PARITY, NO_NUMBER, 5).putInt(stripe).put((byte) parity).array());
  }

  /** Key of a journal item. */
  public static Key journal(long number) {
    return Key.of(begin(JOURNAL, NO_NUMBER, Long.BYTES).putLong(number).array());
  }

  /** Key of the record in the persistent store that makes a proxy empty its servers. */
  public static Key unsettled(int shard) {
    return Key.of(begin(UNSETTLED, shard, 0).array());
  }

  /** The mark in a server's reply, which is released; null if there is none. */
  public static @Nullable ServerMark readMark(ServerReply reply) {
    ServerMark mark =
        reply.value() == null
            ? null
            : ServerMark.parse(reply.value().toString(StandardCharsets.ISO_8859_1));
    reply.release();
    return mark;
  }

  private static ByteBuffer begin(byte kind, int shard, int more) {
    return ByteBuffer.allocate(PREFIX.length + 2 + more).put(PREFIX).put(kind).put((byte) shard);
  }
}

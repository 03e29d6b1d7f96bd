package io.counterpart.cache.forward;

import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.protocol.Key;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The ownership secret: 16 random bytes of one ownership of a tier, known only to readers of the
 * tier's directory. A follower sends them in keys that no client may use, so that neither side
 * mistakes another process for its partner. Immutable.
 */
public final class OwnershipSecret {
  private static final int BYTES = 16;
  private static final byte[] PREFIX = {0, 0x1f, 'c'};
  private static final byte GREETING = 'G';
  private static final byte TIME = 'T';
  private static final byte QUESTION = 'W';
  private static final byte PULL = 'C';
  private static final byte CHECKSUM = 'V';
  private static final byte PORTS = 'L';
  private static final int HEAD_BYTES = PREFIX.length + 1 + BYTES;

  private final byte[] bytes;

  private OwnershipSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A new one. */
  public static OwnershipSecret random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new OwnershipSecret(bytes);
  }

  /**
   * Parses the form of {@link #toString}.
   *
   * @throws IllegalArgumentException if it is not 32 hexadecimal digits
   */
  public static OwnershipSecret parse(String text) {
    byte[] bytes = HexFormat.of().parseHex(text);
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a secret of %d bytes, legal: %d".formatted(bytes.length, BYTES));
    }
    return new OwnershipSecret(bytes);
  }

  /**
   * The identity of a follower.
   *
   * @param follower a random number for each process
   * @param connection number of the connection, which grows
   */
  public record Greeting(long follower, int connection) {}

  /** The key that a follower reads first on a connection; its value is the owner's clock. */
  public Key greeting(Greeting greeting) {
    return Key.of(
        head(GREETING, Long.BYTES + Integer.BYTES)
            .putLong(greeting.follower())
            .putInt(greeting.connection())
            .array());
  }

  /** The greeting in a key; null if it is none, or for another owner. */
  public @Nullable Greeting greeting(Key key) {
    ByteBuffer rest = rest(key, GREETING, Long.BYTES + Integer.BYTES);
    return rest == null ? null : new Greeting(rest.getLong(), rest.getInt());
  }

  /**
   * The key by which a follower dates the requests that follow.
   *
   * @param ownerMillis by the owner's clock
   */
  Key time(long ownerMillis) {
    return Key.of(head(TIME, Long.BYTES).putLong(ownerMillis).array());
  }

  /** The time in a key; null if it is not such a key. */
  public @Nullable Long time(Key key) {
    ByteBuffer rest = rest(key, TIME, Long.BYTES);
    return rest == null ? null : Long.valueOf(rest.getLong());
  }

  /**
   * The key by which a proxy elsewhere asks whether its peer owns the tier; the value is the
   * secret.
   */
  public static Key question() {
    return Key.of(new byte[] {PREFIX[0], PREFIX[1], PREFIX[2], QUESTION});
  }

  /**
   * The same for one of several shards. Who has another number of shards, which decides where each
   * key is, gets no answer.
   *
   * @param shard from 0
   * @param shards up to 127
   */
  public static Key question(int shard, int shards) {
    return Key.of(
        new byte[] {PREFIX[0], PREFIX[1], PREFIX[2], QUESTION, (byte) shard, (byte) shards});
  }

  /** The key of a pull; its value is a piece of the log. */
  public Key pull(CopyPull pull) {
    return Key.of(
        head(PULL, 2 * Long.BYTES + 2 * Integer.BYTES)
            .putLong(pull.copy())
            .putLong(pull.durable())
            .putInt(pull.file())
            .putInt(pull.offset())
            .array());
  }

  /** The pull in a key; null if it is not such a key. */
  public @Nullable CopyPull pull(Key key) {
    ByteBuffer rest = rest(key, PULL, 2 * Long.BYTES + 2 * Integer.BYTES);
    return rest == null
        ? null
        : new CopyPull(rest.getLong(), rest.getLong(), rest.getInt(), rest.getInt());
  }

  /** The key of a checksum of the first bytes of a log file. */
  public Key checksum(Prefix prefix) {
    return Key.of(
        head(CHECKSUM, 2 * Integer.BYTES)
            .putInt(prefix.file())
            .putInt(prefix.lengthBytes())
            .array());
  }

  /** The first bytes of a log file in a key; null if it is not such a key. */
  public @Nullable Prefix checksum(Key key) {
    ByteBuffer rest = rest(key, CHECKSUM, 2 * Integer.BYTES);
    return rest == null ? null : new Prefix(rest.getInt(), rest.getInt());
  }

  /** The key of the owner's local ports. */
  public Key ports() {
    return Key.of(head(PORTS, 0).array());
  }

  /** The first bytes of a log file. */
  public record Prefix(int file, int lengthBytes) {}

  private ByteBuffer head(byte kind, int more) {
    return ByteBuffer.allocate(HEAD_BYTES + more).put(PREFIX).put(kind).put(bytes);
  }

  private @Nullable ByteBuffer rest(Key key, byte kind, int length) {
    byte[] all = key.bytes();
    if (all.length != HEAD_BYTES + length || all[0] != 0) {
      return null;
    }
    byte[] head = Arrays.copyOf(all, HEAD_BYTES);
    return MessageDigest.isEqual(head, head(kind, 0).array())
        ? ByteBuffer.wrap(all, HEAD_BYTES, length)
        : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OwnershipSecret secret && MessageDigest.isEqual(bytes, secret.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** 32 hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}

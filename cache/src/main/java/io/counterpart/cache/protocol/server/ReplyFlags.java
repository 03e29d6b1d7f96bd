package io.counterpart.cache.protocol.server;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.KeyBase64;
import io.counterpart.cache.protocol.MetaFlags;
import io.counterpart.cache.protocol.TokenLine;
import org.jspecify.annotations.Nullable;

/**
 * The flags that a server returns beside the status of a meta command. Immutable. Unknown letters
 * are ignored, so that newer servers can be used.
 */
public final class ReplyFlags {

  /** No flags. */
  static final ReplyFlags NONE = new ReplyFlags();

  private long present;
  private long opaque;
  private long cas;
  private long ttlSeconds;
  private int clientFlags;
  private int sizeBytes;
  private long idleSeconds;
  private boolean fetched;
  private @Nullable Key key;

  private ReplyFlags() {}

  /** Parses the tokens from {@code first} on. */
  static ReplyFlags parse(TokenLine line, int first) throws MalformedReplyException {
    if (line.count() <= first) {
      return NONE;
    }
    ReplyFlags flags = new ReplyFlags();
    int keyToken = 0;
    for (int token = first; token < line.count(); token++) {
      char letter = (char) (line.byteAt(token, 0) & 0x7f);
      if (letter == 'k') {
        keyToken = token;
      }
      flags.take(line, token, letter);
    }
    if (keyToken > 0) {
      flags.key = key(line, keyToken, flags.has('b'));
    }
    return flags;
  }

  /** The flags of an item that a classic command returned. */
  static ReplyFlags ofItem(int clientFlags, long cas) {
    ReplyFlags flags = new ReplyFlags();
    flags.clientFlags = clientFlags;
    flags.cas = cas;
    return flags;
  }

  private void take(TokenLine line, int token, char letter) throws MalformedReplyException {
    present |= MetaFlags.bit(letter);
    switch (letter) {
      case 'O' -> opaque = unsigned(line, token);
      case 'c' -> cas = unsigned(line, token);
      case 'f' -> clientFlags = (int) unsigned(line, token);
      case 's' -> sizeBytes = (int) unsigned(line, token);
      case 'l' -> idleSeconds = unsigned(line, token);
      case 'h' -> fetched = unsigned(line, token) != 0;
      case 't' -> {
        if (!line.readSigned(token, 1)) {
          throw malformed("number", token, line);
        }
        ttlSeconds = line.number();
      }
      default -> {}
    }
  }

  private static long unsigned(TokenLine line, int token) throws MalformedReplyException {
    if (!line.readUnsigned(token, 1)) {
      throw malformed("number", token, line);
    }
    return line.number();
  }

  private static Key key(TokenLine line, int token, boolean base64) throws MalformedReplyException {
    byte[] bytes = line.copy(token, 1);
    byte[] key = base64 ? KeyBase64.read(bytes) : bytes;
    if (key.length == 0 || key.length > Key.MAX_BYTES) {
      throw malformed("key", token, line);
    }
    return Key.owning(key);
  }

  private static MalformedReplyException malformed(String what, int token, TokenLine line) {
    return new MalformedReplyException(
        "no " + what + " in flag " + (token - 1) + " of '" + line.printable() + "'");
  }

  /** Whether a letter came; {@code W}, {@code X} and {@code Z} are marks without a value. */
  public boolean has(char letter) {
    return (present & MetaFlags.bit(letter)) != 0;
  }

  /** The opaque number that was sent, or 0. */
  public long opaque() {
    return opaque;
  }

  /** The CAS value, 64 unsigned bits, or 0. */
  public long cas() {
    return cas;
  }

  /** Seconds until the item expires, -1 if it does not; 0 if not requested. */
  public long ttlSeconds() {
    return ttlSeconds;
  }

  /** The client flags, 32 unsigned bits, or 0. */
  public int clientFlags() {
    return clientFlags;
  }

  /** The value's length, or 0. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /** Seconds since the item was last read or written, or 0. */
  public long idleSeconds() {
    return idleSeconds;
  }

  /** Whether the item was read since it was written. */
  public boolean fetched() {
    return fetched;
  }

  /** The key, if it was requested. */
  public @Nullable Key key() {
    return key;
  }
}

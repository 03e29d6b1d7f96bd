package io.counterpart.cache.protocol.server;

import io.counterpart.cache.protocol.MetaFlags;
import io.counterpart.cache.protocol.TokenLine;

/**
 * The flags that a server returns beside the status of a meta command. Immutable. Unknown letters
 * are ignored, so that newer servers can be used.
 */
public final class ReplyFlags {

  /** No flags. */
  static final ReplyFlags NONE = new ReplyFlags();

  private long present;
  private long cas;
  private long ttlSeconds;
  private int clientFlags;
  private int sizeBytes;
  private long idleSeconds;
  private boolean fetched;

  private ReplyFlags() {}

  /** Parses the tokens from {@code first} on. */
  static ReplyFlags parse(TokenLine line, int first) throws MalformedReplyException {
    if (line.count() <= first) {
      return NONE;
    }
    ReplyFlags flags = new ReplyFlags();
    for (int token = first; token < line.count(); token++) {
      flags.take(line, token, (char) (line.byteAt(token, 0) & 0x7f));
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
      case 'c' -> cas = unsigned(line, token);
      case 'f' -> clientFlags = (int) unsigned(line, token);
      case 's' -> sizeBytes = (int) unsigned(line, token);
      case 'l' -> idleSeconds = unsigned(line, token);
      case 'h' -> fetched = unsigned(line, token) != 0;
      case 't' -> {
        if (!line.readSigned(token, 1)) {
          throw malformed(token, line);
        }
        ttlSeconds = line.number();
      }
      default -> {}
    }
  }

  private static long unsigned(TokenLine line, int token) throws MalformedReplyException {
    if (!line.readUnsigned(token, 1)) {
      throw malformed(token, line);
    }
    return line.number();
  }

  private static MalformedReplyException malformed(int token, TokenLine line) {
    return new MalformedReplyException(
        "no number in flag " + (token - 1) + " of '" + line.printable() + "'");
  }

  /** Whether a letter came; {@code W}, {@code X} and {@code Z} are marks without a value. */
  public boolean has(char letter) {
    return (present & MetaFlags.bit(letter)) != 0;
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
}

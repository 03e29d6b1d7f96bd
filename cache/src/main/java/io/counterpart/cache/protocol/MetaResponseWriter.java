package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;

/**
 * Appends the answers to meta commands to a buffer: the values that the client's flags ask for, in
 * their order. The caller omits answers that a quiet client does not want: {@code EN} of {@code
 * mg}, {@code HD} of {@code ms} and {@code md}, and the answer of {@code ma} on an existing item,
 * as in memcached.
 */
public final class MetaResponseWriter {

  private MetaResponseWriter() {}

  /** An answer with no more than opaque and key: misses, {@code md}, a failed {@code ma}. */
  public static void status(ByteBuf out, MetaStatus status, Key key, MetaFlags flags) {
    begin(out, status);
    for (int i = 0; i < flags.count(); i++) {
      echo(out, flags.at(i), key, flags, flags.binaryKey());
    }
    Ascii.crlf(out);
  }

  /** The answer of {@code ms}; CAS 0 if nothing was stored. */
  public static void stored(ByteBuf out, MetaStatus status, Key key, MetaFlags flags, long cas) {
    begin(out, status);
    for (int i = 0; i < flags.count(); i++) {
      if (flags.at(i) == 'c') {
        flag(out, 'c', cas);
      } else {
        echo(out, flags.at(i), key, flags, flags.binaryKey());
      }
    }
    Ascii.crlf(out);
  }

  /**
   * The answer of {@code mg} for an item, without the value even if the flag {@code v} is there.
   */
  public static void found(ByteBuf out, Key key, MetaFlags flags, MetaItem item) {
    beginFound(out, flags, item.lengthBytes());
    for (int i = 0; i < flags.count(); i++) {
      describe(out, flags.at(i), item);
      echo(out, flags.at(i), key, flags, item.binaryKey());
    }
    if (item.tokenSent()) {
      mark(out, 'Z');
    }
    if (item.stale()) {
      mark(out, 'X');
    }
    if (item.won()) {
      mark(out, 'W');
    }
    Ascii.crlf(out);
  }

  /** The answer of {@code mg} for an item, with the value if the flag {@code v} asks for it. */
  public static void found(ByteBuf out, Key key, MetaFlags flags, MetaItem item, ByteBuf value) {
    found(out, key, flags, item);
    if (flags.has('v')) {
      out.writeBytes(value, value.readerIndex(), value.readableBytes());
      Ascii.crlf(out);
    }
  }

  /**
   * The answer of {@code ma}.
   *
   * @param number the new number, 64 unsigned bits
   * @param ttlSeconds until it expires, or -1 if it does not
   */
  public static void number(
      ByteBuf out, Key key, MetaFlags flags, long number, long cas, long ttlSeconds) {
    String digits = Long.toUnsignedString(number);
    beginFound(out, flags, digits.length());
    for (int i = 0; i < flags.count(); i++) {
      switch (flags.at(i)) {
        case 'c' -> flag(out, 'c', cas);
        case 't' -> ttl(out, ttlSeconds);
        default -> echo(out, flags.at(i), key, flags, flags.binaryKey());
      }
    }
    Ascii.crlf(out);
    if (flags.has('v')) {
      out.writeCharSequence(digits, ISO_8859_1);
      Ascii.crlf(out);
    }
  }

  /**
   * The answer of {@code me} for an item.
   *
   * @param facts {@code name=value} pairs with spaces between them
   */
  public static void debug(ByteBuf out, Key key, boolean binaryKey, String facts) {
    out.writeCharSequence("ME ", ISO_8859_1);
    if (binaryKey) {
      KeyBase64.write(out, key);
    } else {
      key.writeTo(out);
    }
    out.writeByte(' ');
    out.writeCharSequence(facts, ISO_8859_1);
    Ascii.crlf(out);
  }

  /** The answer of {@code me} if there is no such item; it never has flags. */
  public static void debugMiss(ByteBuf out) {
    begin(out, MetaStatus.EN);
    Ascii.crlf(out);
  }

  private static void begin(ByteBuf out, MetaStatus status) {
    out.writeCharSequence(status.name(), ISO_8859_1);
  }

  private static void beginFound(ByteBuf out, MetaFlags flags, int lengthBytes) {
    if (!flags.has('v')) {
      begin(out, MetaStatus.HD);
      return;
    }
    out.writeCharSequence("VA ", ISO_8859_1);
    Ascii.unsigned(out, lengthBytes);
  }

  private static void describe(ByteBuf out, char letter, MetaItem item) {
    switch (letter) {
      case 's' -> flag(out, 's', item.lengthBytes());
      case 't' -> ttl(out, item.ttlSeconds());
      case 'c' -> flag(out, 'c', item.cas());
      case 'f' -> flag(out, 'f', item.flags() & 0xffffffffL);
      case 'l' -> flag(out, 'l', item.idleSeconds());
      case 'h' -> flag(out, 'h', item.fetched() ? 1 : 0);
      default -> {}
    }
  }

  private static void echo(ByteBuf out, char letter, Key key, MetaFlags flags, boolean binaryKey) {
    if (letter == 'O') {
      mark(out, 'O');
      out.writeCharSequence(flags.opaque(), ISO_8859_1);
    } else if (letter == 'k') {
      mark(out, 'k');
      if (binaryKey) {
        KeyBase64.write(out, key);
        mark(out, 'b');
      } else {
        key.writeTo(out);
      }
    }
  }

  private static void ttl(ByteBuf out, long ttlSeconds) {
    mark(out, 't');
    Ascii.signed(out, ttlSeconds);
  }

  private static void flag(ByteBuf out, char letter, long number) {
    mark(out, letter);
    Ascii.unsigned(out, number);
  }

  private static void mark(ByteBuf out, char letter) {
    out.writeByte(' ');
    out.writeByte(letter);
  }
}

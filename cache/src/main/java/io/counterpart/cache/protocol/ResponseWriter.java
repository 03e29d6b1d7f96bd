package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;

/**
 * Appends the answers to classic commands to a buffer; the fixed ones are {@link Answer}s. The
 * caller omits answers for {@code noreply}. Values are copied from their reader index on and are
 * not released. Send a large value as a buffer of its own between its header and {@link #endValue}.
 */
public final class ResponseWriter {

  private static final byte[] VALUE = "VALUE ".getBytes(ISO_8859_1);

  private ResponseWriter() {}

  /** One item that {@code get} or {@code gat} found. */
  public static void value(ByteBuf out, Key key, int flags, ByteBuf value) {
    valueHeader(out, key, flags, value.readableBytes());
    copy(out, value);
  }

  /** One item that {@code gets} or {@code gats} found; the CAS value has 64 unsigned bits. */
  public static void value(ByteBuf out, Key key, int flags, long cas, ByteBuf value) {
    valueHeader(out, key, flags, cas, value.readableBytes());
    copy(out, value);
  }

  /** The line before a value. */
  public static void valueHeader(ByteBuf out, Key key, int flags, int lengthBytes) {
    beginValue(out, key, flags, lengthBytes);
    Ascii.crlf(out);
  }

  /** The line before a value, with its CAS value. */
  public static void valueHeader(ByteBuf out, Key key, int flags, long cas, int lengthBytes) {
    beginValue(out, key, flags, lengthBytes);
    out.writeByte(' ');
    Ascii.unsigned(out, cas);
    Ascii.crlf(out);
  }

  private static void beginValue(ByteBuf out, Key key, int flags, int lengthBytes) {
    out.writeBytes(VALUE);
    key.writeTo(out);
    out.writeByte(' ');
    Ascii.unsigned(out, flags);
    out.writeByte(' ');
    Ascii.unsigned(out, lengthBytes);
  }

  private static void copy(ByteBuf out, ByteBuf value) {
    out.writeBytes(value, value.readerIndex(), value.readableBytes());
    endValue(out);
  }

  /** What follows a value's bytes. */
  public static void endValue(ByteBuf out) {
    Ascii.crlf(out);
  }

  /** The outcome of {@code incr} or {@code decr}: 64 unsigned bits. */
  public static void number(ByteBuf out, long number) {
    Ascii.unsigned(out, number);
    Ascii.crlf(out);
  }

  /** One line of statistics; the name has no space, neither has a line end. */
  public static void stat(ByteBuf out, String name, String value) {
    line(out, "STAT " + name + " " + value);
  }

  /** The answer to {@code version}. */
  public static void version(ByteBuf out, String version) {
    line(out, "VERSION " + version);
  }

  /** A mistake of the client's; the message has no line end. */
  public static void clientError(ByteBuf out, String message) {
    line(out, "CLIENT_ERROR " + message);
  }

  /** A failure of ours; the message has no line end. */
  public static void serverError(ByteBuf out, String message) {
    line(out, "SERVER_ERROR " + message);
  }

  /** The answer to a refused request, if there is one. */
  public static void refusal(ByteBuf out, Request.Refused refused) {
    if (!refused.answer().isEmpty()) {
      line(out, refused.answer());
    }
  }

  private static void line(ByteBuf out, String line) {
    out.writeCharSequence(line, ISO_8859_1);
    Ascii.crlf(out);
  }
}

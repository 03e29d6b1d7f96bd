package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;

/** A constant answer line: the outcome of a classic command, or its end. */
public enum Answer {
  STORED,
  NOT_STORED,
  EXISTS,
  NOT_FOUND,
  DELETED,
  TOUCHED,
  OK,
  /** After the items of a get, and after statistics. */
  END,
  /** After {@code stats reset}. */
  RESET,
  /** After {@code mn}. */
  MN,
  ERROR,
  /** No memory for a value; memcached has then dropped the old one too. */
  OUT_OF_MEMORY("SERVER_ERROR out of memory storing object"),
  /** {@code incr} or {@code decr} of something other than a number. */
  NOT_A_NUMBER("CLIENT_ERROR cannot increment or decrement non-numeric value");

  private final byte[] line;

  Answer() {
    this.line = bytes(name());
  }

  Answer(String line) {
    this.line = bytes(line);
  }

  private static byte[] bytes(String line) {
    return (line + "\r\n").getBytes(US_ASCII);
  }

  /** Appends the line with its CRLF. */
  public void writeTo(ByteBuf out) {
    out.writeBytes(line);
  }
}

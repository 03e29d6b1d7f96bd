package io.counterpart.cache.protocol;

import io.netty.buffer.ByteBuf;

/** Writes decimal numbers and line ends. */
public final class Ascii {

  private static final int CRLF = '\r' << 8 | '\n';

  /** Digits of the largest number. */
  private static final int MAX_DIGITS = 20;

  private Ascii() {}

  public static void crlf(ByteBuf out) {
    out.writeShort(CRLF);
  }

  /** Appends 64 unsigned bits. */
  public static void unsigned(ByteBuf out, long number) {
    if (number < 0) {
      long tens = Long.divideUnsigned(number, 10);
      unsigned(out, tens);
      out.writeByte('0' + (int) (number - tens * 10));
      return;
    }
    if (number < 10) {
      out.writeByte('0' + (int) number);
      return;
    }
    int digits = digits(number);
    out.ensureWritable(MAX_DIGITS);
    int end = out.writerIndex() + digits;
    long rest = number;
    for (int at = end - 1; at >= out.writerIndex(); at--) {
      out.setByte(at, '0' + (int) (rest % 10));
      rest /= 10;
    }
    out.writerIndex(end);
  }

  /** Appends 32 unsigned bits. */
  public static void unsigned(ByteBuf out, int number) {
    unsigned(out, number & 0xffffffffL);
  }

  public static void signed(ByteBuf out, long number) {
    if (number < 0) {
      out.writeByte('-');
    }
    unsigned(out, number < 0 ? -number : number);
  }

  private static int digits(long number) {
    int digits = 1;
    for (long bound = 10; digits < 19 && number >= bound; bound *= 10) {
      digits++;
    }
    return digits;
  }
}

package io.counterpart.cache.protocol;

/**
 * Reads decimal numbers exactly as memcached does with C's {@code strtol} and {@code strtoull}:
 * white space and a sign may come first, white space and then anything may follow, and 32-bit
 * results are the low bits of 64. One call, then {@link #value}; not thread-safe.
 */
final class CNumber {

  private static final long TENTH = Long.divideUnsigned(-1L, 10);
  private static final int LAST_DIGIT = (int) Long.remainderUnsigned(-1L, 10);

  private long value;

  /** The number that the last successful call read. */
  long value() {
    return value;
  }

  /** Whether {@code bytes[from, to)} is a number within 64 signed bits. */
  boolean readSigned(byte[] bytes, int from, int to) {
    int digits = skipSign(bytes, from, to);
    boolean negative = isNegative(bytes, from, digits);
    if (!readDigits(bytes, digits, to)) {
      return false;
    }
    if (value < 0 && !(negative && value == Long.MIN_VALUE)) {
      return false;
    }
    value = negative ? -value : value;
    return true;
  }

  /** Whether {@code bytes[from, to)} is a number within 64 unsigned bits; minus wraps around. */
  boolean readUnsigned(byte[] bytes, int from, int to) {
    int digits = skipSign(bytes, from, to);
    boolean negative = isNegative(bytes, from, digits);
    if (!readDigits(bytes, digits, to)) {
      return false;
    }
    value = negative ? -value : value;
    return value >= 0 || !holdsMinus(bytes, from, to);
  }

  private static int skipSign(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isSpace(bytes[at])) {
      at++;
    }
    return at < to && (bytes[at] == '-' || bytes[at] == '+') ? at + 1 : at;
  }

  private static boolean isNegative(byte[] bytes, int from, int digits) {
    return digits > from && bytes[digits - 1] == '-';
  }

  private boolean readDigits(byte[] bytes, int from, int to) {
    long sum = 0;
    boolean overflow = false;
    int at = from;
    for (; at < to && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
      int digit = bytes[at] - '0';
      int order = Long.compareUnsigned(sum, TENTH);
      overflow |= order > 0 || (order == 0 && digit > LAST_DIGIT);
      sum = sum * 10 + digit;
    }
    value = sum;
    return at > from && !overflow && (at == to || isSpace(bytes[at]));
  }

  private static boolean holdsMinus(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == '-') {
        return true;
      }
    }
    return false;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }
}

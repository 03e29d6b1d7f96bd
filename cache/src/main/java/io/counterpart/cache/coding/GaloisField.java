package io.counterpart.cache.coding;

/**
 * GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1. Elements are bytes, their sum is xor. Thread-safe: its
 * tables, of 64 KiB, never change.
 */
final class GaloisField {

  private static final int SIZE = 256;
  private static final int POLYNOMIAL = 0x11d;
  private static final byte[][] MULTIPLES = multiples();

  private GaloisField() {}

  static byte multiply(byte a, byte b) {
    return MULTIPLES[a & 0xff][b & 0xff];
  }

  /**
   * The inverse b, with a · b = 1.
   *
   * @throws ArithmeticException if a is zero
   */
  static byte inverse(byte a) {
    byte[] multiples = multiplesOf(a);
    for (int b = 1; b < SIZE; b++) {
      if (multiples[b] == 1) {
        return (byte) b;
      }
    }
    throw new ArithmeticException("zero has no inverse");
  }

  /** The 256 products of a factor, by the other factor; shared, not to be changed. */
  static byte[] multiplesOf(byte factor) {
    return MULTIPLES[factor & 0xff];
  }

  private static byte[][] multiples() {
    byte[][] products = new byte[SIZE][SIZE];
    for (int a = 0; a < SIZE; a++) {
      for (int b = 1; b < SIZE; b++) {
        // a · b = (a · floor(b/2)) · x, and a once more if b is odd
        int doubled = (products[a][b >> 1] & 0xff) << 1;
        int reduced = doubled >= SIZE ? doubled ^ POLYNOMIAL : doubled;
        products[a][b] = (byte) ((b & 1) == 0 ? reduced : reduced ^ a);
      }
    }
    return products;
  }
}

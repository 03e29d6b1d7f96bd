package io.counterpart.cache.protocol;

import java.util.Arrays;
import java.util.Random;

/** Cuts bytes at random points, as a network may. */
final class Splits {

  private static final int LONG_BYTES = 4096;

  private Splits() {}

  /**
   * Feeds bytes in pieces of one byte to some, or all at once if they are many or the line's length
   * matters.
   */
  static void feed(ToyConnection connection, byte[] bytes, Random random) {
    int largest = bytes.length > LONG_BYTES ? bytes.length : 1 + random.nextInt(40);
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(largest));
      to = bytes.length > LONG_BYTES ? bytes.length : to;
      connection.receive(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
  }
}

package io.counterpart.cache.coded.stripe;

import java.util.Arrays;

/**
 * Exclusive or of slot contents, in which bytes past the end count as zeros. Thread-safe: no state.
 */
public final class Xor {
  private static final byte[] NOTHING = {};

  private Xor() {}

  /** The xor, in a new array as long as the longer argument. */
  public static byte[] of(byte[] one, byte[] other) {
    byte[] longer = one.length >= other.length ? one : other;
    byte[] shorter = longer == one ? other : one;
    byte[] result = Arrays.copyOf(longer, longer.length);
    into(result, shorter);
    return result;
  }

  /** Adds to the first array, which is at least as long as the second. */
  public static void into(byte[] target, byte[] other) {
    into(target, 0, other, other.length);
  }

  /** Adds the first bytes of the second array to the first array, from an index on. */
  static void into(byte[] target, int at, byte[] other, int count) {
    for (int i = 0; i < count; i++) {
      target[at + i] ^= other[i];
    }
  }

  public static byte[] nothing() {
    return NOTHING;
  }
}

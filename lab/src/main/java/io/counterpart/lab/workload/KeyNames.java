package io.counterpart.lab.workload;

/**
 * YCSB's keys: "user" and a number, padded with zeros to one length. Immutable and thread-safe.
 *
 * @param bytes of a key, {@value #MIN_BYTES} to {@value #MAX_BYTES}
 */
record KeyNames(int bytes) {
  static final int MAX_BYTES = 1024;
  private static final String PREFIX = "user";

  /** Digits of the largest key number. */
  private static final int DIGITS = 10;

  static final int MIN_BYTES = PREFIX.length() + DIGITS;

  /** Digits after the prefix. */
  int digits() {
    return bytes - PREFIX.length();
  }

  /** The name of a key number. */
  String name(int key) {
    String digits = Integer.toString(key);
    return PREFIX + "0".repeat(digits() - digits.length()) + digits;
  }

  /** The key number in a name. */
  static int number(String name) {
    return Integer.parseInt(name, name.length() - DIGITS, name.length(), 10);
  }
}

package io.counterpart.cache.protocol;

/** The condition and effect of a store command. */
public enum StoreMode {
  /** In any case. */
  SET('S'),
  /** Only if there is no value. */
  ADD('E'),
  /** Only if there is a value. */
  REPLACE('R'),
  /** After the present value; flags and expiry stay. */
  APPEND('A'),
  /** Before the present value; flags and expiry stay. */
  PREPEND('P'),
  /** Only if the present value has the given CAS value; has no letter of its own on the wire. */
  CAS('S');

  private final char letter;

  StoreMode(char letter) {
    this.letter = letter;
  }

  /** The letter of the flag {@code M} of {@code ms}. */
  public char letter() {
    return letter;
  }
}

package io.counterpart.cache.protocol;

/** The condition and effect of a store command. */
public enum StoreMode {
  /** Whatever is there. */
  SET('S'),
  /** Only if nothing is there. */
  ADD('E'),
  /** Only if something is there. */
  REPLACE('R'),
  /** Behind what is there; flags and expiry stay. */
  APPEND('A'),
  /** Before what is there; flags and expiry stay. */
  PREPEND('P'),
  /** Only if what is there has the given CAS value; has no letter of its own on the wire. */
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

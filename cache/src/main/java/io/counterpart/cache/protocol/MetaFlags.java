package io.counterpart.cache.protocol;

/**
 * The flags of a meta command: letters, each at most once, some with a value.
 *
 * <p>As in memcached, every command accepts every legal letter; a letter that the command does not
 * use has no effect. See memcached's {@code doc/protocol.txt} for the letters.
 *
 * @param present the {@link #bit}s of the letters
 * @param order the letters in the request's order
 * @param opaque {@code O}: up to 31 characters, each a byte, that the answer returns; empty if not
 *     given
 * @param exptime {@code T}: the item's new exptime as sent, see {@link Expiry}; 0 if not given
 * @param vivifyExptime {@code N}: the exptime of an item made on a miss
 * @param recacheExptime {@code R}: an item that expires before this exptime is to be recomputed
 * @param clientFlags {@code F}: the client flags of a stored item
 * @param cas {@code C}: the CAS value to compare; 0 compares only in {@link StoreMode#CAS}
 * @param delta {@code D}: the amount that {@code ma} adds or subtracts, 64 unsigned bits; 1 if not
 *     given
 * @param initial {@code J}: the number that {@code ma} stores on a miss
 */
public record MetaFlags(
    long present,
    String order,
    String opaque,
    int exptime,
    int vivifyExptime,
    int recacheExptime,
    int clientFlags,
    long cas,
    long delta,
    long initial) {
  /** The longest opaque, without its letter. */
  public static final int MAX_OPAQUE_BYTES = 31;

  /** Whether a letter, A to Z or a to z, was given. */
  public boolean has(char letter) {
    return (present & bit(letter)) != 0;
  }

  /** The bit of a letter, A to Z or a to z; each letter has another one. */
  public static long bit(int letter) {
    return 1L << (letter & 63);
  }

  /** Number of flags. */
  public int count() {
    return order.length();
  }

  /** The letter at an index; answers return flags in the request's order. */
  public char at(int index) {
    return order.charAt(index);
  }

  /** {@code b}: the key was sent in base64 and is returned in base64. */
  public boolean binaryKey() {
    return has('b');
  }

  /** {@code q}: the usual outcome gets no answer. */
  public boolean quiet() {
    return has('q');
  }
}

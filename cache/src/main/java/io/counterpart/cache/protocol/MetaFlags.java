package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The flags of a meta command: letters, each at most once, some with a value. Immutable.
 *
 * <p>As in memcached, every command accepts every legal letter; a letter that the command does not
 * use has no effect. See memcached's {@code doc/protocol.txt} for the letters.
 */
public final class MetaFlags {

  /** The longest opaque, without its letter. */
  public static final int MAX_OPAQUE_BYTES = 31;

  private final long present;
  private final byte[] order;
  private final byte[] opaque;
  private final int exptime;
  private final int vivifyExptime;
  private final int recacheExptime;
  private final int clientFlags;
  private final long cas;
  private final long delta;
  private final long initial;

  MetaFlags(MetaFlagsParser parsed) {
    present = parsed.present;
    order = parsed.order();
    opaque = parsed.opaque;
    exptime = parsed.exptime;
    vivifyExptime = parsed.vivifyExptime;
    recacheExptime = parsed.recacheExptime;
    clientFlags = parsed.clientFlags;
    cas = parsed.cas;
    delta = parsed.delta;
    initial = parsed.initial;
  }

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
    return order.length;
  }

  /** The letter at an index; answers return flags in the request's order. */
  public char at(int index) {
    return (char) order[index];
  }

  /** {@code b}: the key was sent in base64 and is returned in base64. */
  public boolean binaryKey() {
    return has('b');
  }

  /** {@code q}: the usual outcome gets no answer. */
  public boolean quiet() {
    return has('q');
  }

  /** {@code O}: up to 31 bytes that the answer returns; empty if not given. Not to be changed. */
  public byte[] opaque() {
    return opaque;
  }

  /** {@code T}: the item's new exptime as sent, see {@link Expiry}; 0 if not given. */
  public int exptime() {
    return exptime;
  }

  /** {@code N}: the exptime of an item made on a miss. */
  public int vivifyExptime() {
    return vivifyExptime;
  }

  /** {@code R}: an item that expires before this exptime is to be recomputed. */
  public int recacheExptime() {
    return recacheExptime;
  }

  /** {@code F}: the client flags of a stored item. */
  public int clientFlags() {
    return clientFlags;
  }

  /** {@code C}: the CAS value to compare; 0 compares only in {@link StoreMode#CAS}. */
  public long cas() {
    return cas;
  }

  /** {@code D}: the amount that {@code ma} adds or subtracts, 64 unsigned bits; 1 if not given. */
  public long delta() {
    return delta;
  }

  /** {@code J}: the number that {@code ma} stores on a miss. */
  public long initial() {
    return initial;
  }

  /** The letters in order, with their parsed values. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count(); i++) {
      text.append(i == 0 ? "" : " ").append(at(i)).append(value(at(i)));
    }
    return text.toString();
  }

  private String value(char letter) {
    return switch (letter) {
      case 'O' -> new String(opaque, ISO_8859_1);
      case 'T' -> Integer.toString(exptime);
      case 'N' -> Integer.toString(vivifyExptime);
      case 'R' -> Integer.toString(recacheExptime);
      case 'F' -> Integer.toUnsignedString(clientFlags);
      case 'C' -> Long.toUnsignedString(cas);
      case 'D' -> Long.toUnsignedString(delta);
      case 'J' -> Long.toUnsignedString(initial);
      default -> "";
    };
  }
}

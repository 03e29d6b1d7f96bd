package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A key: 1 to 250 bytes of any value. Immutable, compared by content; holds no buffer.
 *
 * <p>Clients' classic keys have no space, line feed or zero byte; keys in base64 may have them.
 */
public final class Key {

  /** The longest key on the wire; in base64 it is the encoded form that must fit. */
  public static final int MAX_BYTES = 250;

  private final byte[] bytes;
  private int hash;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A key of these bytes, which are copied.
   *
   * @throws IllegalArgumentException if there are none or more than 250
   */
  public static Key of(byte[] bytes) {
    return owning(bytes.clone());
  }

  /**
   * A key of these characters, one byte each.
   *
   * @throws IllegalArgumentException if there are none or more than 250
   */
  public static Key of(String characters) {
    return owning(characters.getBytes(ISO_8859_1));
  }

  /** A key of an array that nobody else will write to. */
  public static Key owning(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a key of " + bytes.length + " bytes; legal: 1 to " + MAX_BYTES);
    }
    return new Key(bytes);
  }

  /** Number of bytes, 1 to 250. */
  public int lengthBytes() {
    return bytes.length;
  }

  /** The key's own bytes, for hashing without a copy; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Appends the bytes as they are. */
  public void writeTo(ByteBuf out) {
    out.writeBytes(bytes);
  }

  /** Whether the key can stand in a command line as it is; else it needs base64. */
  public boolean isText() {
    for (byte b : bytes) {
      if (b == ' ' || b == '\n' || b == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = Arrays.hashCode(bytes);
      hash = known;
    }
    return known;
  }

  /** Printable: bytes outside of visible ASCII as {@code \xhh}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      if (b > ' ' && b < 0x7f) {
        text.append((char) b);
      } else {
        text.append(String.format("\\x%02x", b & 0xff));
      }
    }
    return text.toString();
  }
}

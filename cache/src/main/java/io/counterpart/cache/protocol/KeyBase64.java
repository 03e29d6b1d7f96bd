package io.counterpart.cache.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Base64;

/**
 * Keys in base64, for the meta flag {@code b}. Reading is as lax as memcached's: it skips bytes
 * outside the alphabet and everything after the padding.
 */
public final class KeyBase64 {

  private static final byte OTHER = -1;
  private static final byte[] VALUES = new byte[128];

  static {
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Arrays.fill(VALUES, OTHER);
    for (int i = 0; i < alphabet.length(); i++) {
      VALUES[alphabet.charAt(i)] = (byte) i;
    }
    VALUES['='] = 0;
  }

  private KeyBase64() {}

  /** Appends the key in base64 with padding. */
  public static void write(ByteBuf out, Key key) {
    out.writeBytes(Base64.getEncoder().encode(key.bytes()));
  }

  public static int encodedLength(int lengthBytes) {
    return (lengthBytes + 2) / 3 * 4;
  }

  /** The bytes that {@code text} stands for, empty if it stands for none. */
  public static byte[] read(byte[] text) {
    int digits = 0;
    for (byte b : text) {
      if (value(b) != OTHER) {
        digits++;
      }
    }
    if (digits == 0 || digits % 4 != 0) {
      return new byte[0];
    }
    byte[] bytes = new byte[digits / 4 * 3];
    int length = 0;
    int block = 0;
    int inBlock = 0;
    int padding = 0;
    for (int i = 0; i < text.length && (padding == 0 || inBlock != 0); i++) {
      byte value = value(text[i]);
      if (value == OTHER) {
        continue;
      }
      padding += text[i] == '=' ? 1 : 0;
      block = block << 6 | value;
      inBlock = (inBlock + 1) & 3;
      if (inBlock == 0) {
        bytes[length++] = (byte) (block >> 16);
        bytes[length++] = (byte) (block >> 8);
        bytes[length++] = (byte) block;
      }
    }
    return padding > 2 ? new byte[0] : Arrays.copyOf(bytes, length - padding);
  }

  private static byte value(byte b) {
    return b < 0 ? OTHER : VALUES[b];
  }
}

package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Keys in base64, for the meta flag {@code b}. Reading is as lax as memcached's: it skips bytes
 * outside the alphabet and everything after the padding.
 */
public final class KeyBase64 {
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9+/=]");

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
    String digits = OTHER.matcher(new String(text, ISO_8859_1)).replaceAll("");
    if (digits.length() % 4 != 0) {
      return new byte[0];
    }
    int first = digits.indexOf('=');
    String used = first < 0 ? digits : digits.substring(0, first / 4 * 4 + 4);
    int padding = (int) used.chars().filter(digit -> digit == '=').count();
    // a digit behind the padding, in the same four, counts as one; the JDK would refuse it
    byte[] bytes = Base64.getDecoder().decode(used.replace('=', 'A'));
    return padding > 2 ? new byte[0] : Arrays.copyOf(bytes, bytes.length - padding);
  }
}

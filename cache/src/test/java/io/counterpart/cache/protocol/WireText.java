package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes on the wire as lines of a case file. A line stands for its characters and CRLF; {@code \r
 * \n \0 \t \s \xhh \\} are bytes, {@code \{c*n}} is a character n times, and {@code \-} at the end
 * omits the CRLF.
 */
public final class WireText {

  private WireText() {}

  public static byte[] bytes(List<String> lines) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : lines) {
      boolean open = line.endsWith("\\-");
      append(bytes, open ? line.substring(0, line.length() - 2) : line);
      if (!open) {
        bytes.write('\r');
        bytes.write('\n');
      }
    }
    return bytes.toByteArray();
  }

  private static void append(ByteArrayOutputStream bytes, String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\\') {
        bytes.write(c);
        continue;
      }
      i++;
      switch (line.charAt(i)) {
        case 'r' -> bytes.write('\r');
        case 'n' -> bytes.write('\n');
        case '0' -> bytes.write(0);
        case 't' -> bytes.write('\t');
        case 's' -> bytes.write(' ');
        case '\\' -> bytes.write('\\');
        case 'x' -> {
          bytes.write(Integer.parseInt(line.substring(i + 1, i + 3), 16));
          i += 2;
        }
        case '{' -> {
          int end = line.indexOf('}', i);
          String[] parts = line.substring(i + 1, end).split("\\*", -1);
          bytes.writeBytes(parts[0].repeat(Integer.parseInt(parts[1])).getBytes(ISO_8859_1));
          i = end;
        }
        default -> throw new IllegalArgumentException("unknown escape in " + line);
      }
    }
  }

  /** Answers as lines: CRLF ends one, other invisible bytes are escaped. */
  public static List<String> lines(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xff;
      if (b == '\r' && i + 1 < bytes.length && bytes[i + 1] == '\n') {
        lines.add(line.toString());
        line.setLength(0);
        i++;
      } else if (b >= ' ' && b < 0x7f) {
        line.append((char) b);
      } else {
        line.append(String.format("\\x%02x", b));
      }
    }
    if (!line.isEmpty()) {
      lines.add(line + "\\-");
    }
    return lines;
  }
}

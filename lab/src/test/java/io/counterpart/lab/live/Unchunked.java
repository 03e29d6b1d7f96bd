package io.counterpart.lab.live;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** An HTTP answer with its body's chunks joined: their ends may cut a line anywhere. */
final class Unchunked extends InputStream {
  private final InputStream in;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private boolean isChunked;
  private boolean isBody;
  private boolean isFirst = true;
  private int left;

  Unchunked(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int most) throws IOException {
    if (!isBody) {
      return readHead(bytes, from);
    }
    if (isChunked && left == 0 && !nextChunk()) {
      return -1;
    }
    int read = in.read(bytes, from, isChunked ? Math.min(most, left) : most);
    left -= isChunked ? Math.max(0, read) : 0;
    return read;
  }

  private int readHead(byte[] bytes, int from) throws IOException {
    int read = in.read();
    if (read < 0) {
      return -1;
    }
    head.write(read);
    bytes[from] = (byte) read;
    String text = head.toString(ISO_8859_1);
    isBody = text.endsWith("\r\n\r\n");
    isChunked = text.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked");
    return 1;
  }

  private boolean nextChunk() throws IOException {
    if (!isFirst) {
      line();
    }
    isFirst = false;
    String size = line();
    left = size.isEmpty() ? 0 : Integer.parseInt(size, 16);
    return left > 0;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
    }
    return line.toString(ISO_8859_1).trim();
  }
}

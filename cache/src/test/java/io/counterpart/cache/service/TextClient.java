package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** One blocking connection of a memcached client. Used by one thread. */
final class TextClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  TextClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream(), 512);
    out = socket.getOutputStream();
  }

  /**
   * An answer to a read.
   *
   * @param line the first line, without its end: VALUE …, END or an error
   * @param value null if there is none
   * @param version for {@code cas}
   */
  record Got(String line, byte[] value, long version) {
    boolean isMiss() {
      return line.equals("END");
    }
  }

  static byte[] set(String key, byte[] value) {
    return store("set " + key + " 0 0 " + value.length, value);
  }

  private static byte[] store(String command, byte[] value) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes((command + "\r\n").getBytes(ISO_8859_1));
    request.writeBytes(value);
    request.writeBytes("\r\n".getBytes(ISO_8859_1));
    return request.toByteArray();
  }

  /** Writes a value; returns the answer's line. */
  String write(String key, byte[] value) throws IOException {
    send(set(key, value));
    return line();
  }

  /** As {@link #write(String, byte[])}, if the present value has this version. */
  String write(String key, byte[] value, long version) throws IOException {
    send(store("cas %s 0 0 %d %d".formatted(key, value.length, version), value));
    return line();
  }

  Got read(String key) throws IOException {
    send(("gets " + key + "\r\n").getBytes(ISO_8859_1));
    return answer();
  }

  /** The answer to a read of one key. */
  Got answer() throws IOException {
    String line = line();
    if (!line.startsWith("VALUE ")) {
      return new Got(line, null, 0);
    }
    String[] words = line.split(" ");
    byte[] value = in.readNBytes(Integer.parseInt(words[3]));
    String end = line() + line();
    if (!end.equals("END")) {
      throw new IOException("a value of %d bytes is followed by '%s'".formatted(value.length, end));
    }
    return new Got(line, value, Long.parseLong(words[4]));
  }

  /** One item of an answer to a read of several keys. */
  byte[] item() throws IOException {
    String[] words = line().split(" ");
    byte[] value = in.readNBytes(Integer.parseInt(words[3]));
    line();
    return value;
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  void send(byte[] bytes, int from, int length) throws IOException {
    out.write(bytes, from, length);
  }

  /** The next line, without its end. */
  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int read = in.read(); read != '\n'; read = in.read()) {
      if (read < 0) {
        throw new EOFException("closed after '" + line.toString(ISO_8859_1) + "'");
      }
      if (read != '\r') {
        line.write(read);
      }
    }
    return line.toString(ISO_8859_1);
  }

  /** Ends the connection as a crash does: with a reset. */
  void cut() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package io.counterpart.lab.tier.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Parses a proxy's bytes into answers to {@code get} of one key and to {@code set}. Not
 * thread-safe.
 */
final class AnswerParser {
  private static final byte[] VALUE = "VALUE ".getBytes(ISO_8859_1);
  private static final byte[] END = "END\r\n".getBytes(ISO_8859_1);
  private static final byte[] STORED = "STORED\r\n".getBytes(ISO_8859_1);
  private static final int MAX_BYTES = 64 << 20;
  private static final int TEN = 10;

  /** Bytes up to the position were received; those from {@code start} on are not parsed yet. */
  private ByteBuffer bytes;

  private int start;
  private int answerStart;
  private int answerEnd;
  private int valueStart;
  private int valueLength;

  AnswerParser(int firstBytes) {
    bytes = ByteBuffer.allocate(firstBytes);
  }

  /** Room for more bytes; not to be kept. */
  ByteBuffer room() throws IOException {
    if (start > 0) {
      bytes.limit(bytes.position()).position(start);
      bytes.compact();
      start = 0;
    }
    if (!bytes.hasRemaining()) {
      if (bytes.capacity() >= MAX_BYTES) {
        throw new IOException("an answer of more than " + MAX_BYTES + " bytes");
      }
      bytes = ByteBuffer.allocate(2 * bytes.capacity()).put(bytes.flip());
    }
    return bytes;
  }

  /**
   * Goes to the next answer; false if it is incomplete.
   *
   * @param toSet whether it answers a {@code set}
   * @throws IOException if it is malformed
   */
  boolean next(boolean toSet) throws IOException {
    int lineEnd = lineEnd(start);
    if (lineEnd < 0) {
      return false;
    }
    answerStart = start;
    valueLength = -1;
    int end = lineEnd;
    if (!toSet && startsWith(VALUE)) {
      valueLength = length(lineEnd);
      valueStart = lineEnd;
      end = lineEnd + valueLength + 2 + END.length;
      if (end > bytes.position()) {
        return false;
      }
    }
    answerEnd = lineEnd;
    start = end;
    return true;
  }

  /** Whether the answer is an object. */
  boolean isValue() {
    return valueLength >= 0;
  }

  /** Its value; valid until more bytes are received. */
  ByteBuffer value() {
    return ByteBuffer.wrap(bytes.array(), valueStart, valueLength).slice();
  }

  /** Whether the answer is that there is no object. */
  boolean isEnd() {
    return startsWith(END);
  }

  /** Whether the answer is that the object was stored. */
  boolean isStored() {
    return startsWith(STORED);
  }

  /** The answer's first line. */
  String line() {
    return new String(bytes.array(), answerStart, answerEnd - answerStart, ISO_8859_1).strip();
  }

  private int lineEnd(int from) {
    byte[] array = bytes.array();
    for (int i = from; i < bytes.position(); i++) {
      if (array[i] == '\n') {
        return i + 1;
      }
    }
    return -1;
  }

  private boolean startsWith(byte[] word) {
    if (bytes.position() - answerStart < word.length) {
      return false;
    }
    byte[] array = bytes.array();
    for (int i = 0; i < word.length; i++) {
      if (array[answerStart + i] != word[i]) {
        return false;
      }
    }
    return true;
  }

  /** The last number of the line that begins an object. */
  private int length(int lineEnd) throws IOException {
    byte[] array = bytes.array();
    int length = 0;
    int scale = 1;
    int at = lineEnd - 3;
    for (; at > answerStart && array[at] >= '0' && array[at] <= '9'; at--) {
      length += scale * (array[at] - '0');
      scale *= TEN;
    }
    if (scale == 1 || array[at] != ' ' || length > MAX_BYTES) {
      throw new IOException("no answer to get: " + line(answerStart, lineEnd));
    }
    return length;
  }

  private String line(int from, int end) {
    return new String(bytes.array(), from, end - from, ISO_8859_1).strip();
  }
}

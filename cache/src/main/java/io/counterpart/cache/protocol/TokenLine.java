package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One line, cut at spaces into at most 23 tokens as memcached does it: a zero byte ends the line,
 * and only {@link #cutMore} cuts the part after the 23rd token. Reused for each line of a
 * connection; not thread-safe.
 */
public final class TokenLine {

  static final int MAX_TOKENS = 23;

  /** Buffer bytes that an idle connection may keep. */
  private static final int KEPT_BYTES = 2048;

  private static final int FIRST_BYTES = 256;

  private final int[] starts = new int[MAX_TOKENS];
  private final int[] ends = new int[MAX_TOKENS];
  private final CNumber number = new CNumber();
  private byte[] bytes = new byte[FIRST_BYTES];
  private int lengthBytes;
  private int count;
  private int next;

  /** Loads a copy of {@code in[from, from + length)}, which holds no line feed. */
  public void load(ByteBuf in, int from, int length) {
    if (bytes.length < length || bytes.length > KEPT_BYTES) {
      bytes = new byte[Math.max(length, FIRST_BYTES)];
    }
    in.getBytes(from, bytes, 0, length);
    lengthBytes = length;
    next = 0;
    cutMore();
  }

  /** Frees the memory of a long line, whose tokens are not needed any more. */
  public void forget() {
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
      lengthBytes = 0;
      count = 0;
      next = 0;
    }
  }

  /**
   * Cuts the next tokens, at most 23, which replace those before.
   *
   * @return whether there are any
   */
  public boolean cutMore() {
    count = 0;
    int start = next;
    int at = next;
    for (; at < lengthBytes && bytes[at] != 0; at++) {
      if (bytes[at] != ' ') {
        continue;
      }
      if (start < at) {
        add(start, at);
      }
      start = at + 1;
      if (count == MAX_TOKENS) {
        next = start;
        return true;
      }
    }
    if (start < at) {
      add(start, at);
    }
    next = lengthBytes;
    return count > 0;
  }

  /** Whether the line has more characters after the tokens, if only spaces. */
  public boolean hasMore() {
    return next < lengthBytes;
  }

  private void add(int start, int end) {
    starts[count] = start;
    ends[count] = end;
    count++;
  }

  public int count() {
    return count;
  }

  public int length(int token) {
    return ends[token] - starts[token];
  }

  /** A byte of a token; {@code index} below its length. */
  public byte byteAt(int token, int index) {
    return bytes[starts[token] + index];
  }

  public boolean is(int token, String word) {
    return length(token) == word.length() && startsWith(token, word);
  }

  public boolean startsWith(int token, String word) {
    if (length(token) < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (byteAt(token, i) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the last token is {@code noreply}. */
  public boolean saysNoreply() {
    return is(count - 1, "noreply");
  }

  /** A copy of the token. */
  public byte[] copy(int token) {
    return Arrays.copyOfRange(bytes, starts[token], ends[token]);
  }

  public String text(int token) {
    return new String(bytes, starts[token], length(token), ISO_8859_1);
  }

  /** The tokens from {@code first} on, as text. */
  public List<String> texts(int first) {
    List<String> texts = new ArrayList<>(count - first);
    for (int token = first; token < count; token++) {
      texts.add(text(token));
    }
    return List.copyOf(texts);
  }

  /** The rest of the line after its first {@code skip} bytes. */
  public String tail(int skip) {
    int from = Math.min(skip, lengthBytes);
    return new String(bytes, from, lengthBytes - from, ISO_8859_1);
  }

  /** The beginning of the line for a message, with question marks for invisible characters. */
  public String printable() {
    int length = Math.min(lengthBytes, 80);
    return new String(bytes, 0, length, ISO_8859_1).replaceAll("[^ -~]", "?");
  }

  /** The token as a key; it is no longer than 250 bytes. */
  public Key key(int token) {
    return Key.owning(copy(token));
  }

  /**
   * Parses the token, without its first {@code skip} bytes, as a signed number.
   *
   * @return whether it is one; then {@link #number} returns it
   */
  public boolean readSigned(int token, int skip) {
    return number.readSigned(bytes, starts[token] + skip, ends[token]);
  }

  /** As {@link #readSigned}, for an unsigned number. */
  public boolean readUnsigned(int token, int skip) {
    return number.readUnsigned(bytes, starts[token] + skip, ends[token]);
  }

  public long number() {
    return number.value();
  }
}

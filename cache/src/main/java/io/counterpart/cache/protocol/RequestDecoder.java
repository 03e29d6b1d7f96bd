package io.counterpart.cache.protocol;

import io.counterpart.cache.protocol.Request.Plain;
import io.counterpart.cache.protocol.Request.Refused;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one client's bytes into requests, however the bytes are split.
 *
 * <p>The caller keeps one buffer of what is received and not yet read, appends to it and calls
 * {@link #next} until it returns null. Between calls the buffer's unread bytes must stay as they
 * are. The undecoded remainder is bounded: 2,048 bytes of an unfinished line, 1 MiB of a multiget's
 * line, or a value up to the largest with its CRLF; a value that is larger is skipped as it comes.
 *
 * <p>Never throws on what a client sends. Not thread-safe; one for each connection.
 */
public final class RequestDecoder {

  /** The largest value that clients may store. */
  public static final int MAX_VALUE_BYTES = 1 << 20;

  /**
   * Length from which on an unfinished line must be a multiget; otherwise memcached closes the
   * connection.
   */
  static final int MAX_UNFINISHED_BYTES = 2048;

  /** Bytes that memcached reads at once: a longer line was unfinished at some time. */
  static final int MAX_LINE_BYTES = 16384;

  /** Bound on one multiget; memcached goes on until it has no memory left. */
  static final int MAX_MULTIGET_BYTES = 1 << 20;

  /** Memory of a long multiget's keys as objects. */
  private static final int LONG_LINE_MEMORY_BYTES = 32 << 20;

  private static final int SMALL_BUFFER_BYTES = 1024;
  private static final int MAX_LEADING_SPACES = 100;
  private static final byte BINARY_MAGIC = (byte) 0x80;

  private final TokenLine line = new TokenLine();
  private final StoreParser stores;
  private final CommandParser commands;

  private boolean begun;
  private boolean closed;
  private int scannedBytes;
  private long swallowBytes;
  private @Nullable ItemBody body;

  /** A decoder that accepts values up to {@link #MAX_VALUE_BYTES}. */
  public RequestDecoder() {
    this(MAX_VALUE_BYTES);
  }

  /**
   * A decoder with another limit.
   *
   * @throws IllegalArgumentException if the limit is not 0 to 1 GiB
   */
  public RequestDecoder(int maxValueBytes) {
    if (maxValueBytes < 0 || maxValueBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "largest value of " + maxValueBytes + " bytes; legal: 0 to " + (1 << 30));
    }
    stores = new StoreParser(line, maxValueBytes);
    commands = new CommandParser(line, stores);
  }

  /**
   * The next request; its bytes are consumed from the buffer.
   *
   * <p>After {@link Plain#QUIT} or a {@link Refused} that closes, everything else is skipped.
   *
   * @return the request, owned by the caller, or null if more bytes are needed
   */
  public @Nullable Request next(ByteBuf in) {
    if (closed) {
      in.skipBytes(in.readableBytes());
      return null;
    }
    if (body != null) {
      return value(in, body);
    }
    if (swallowBytes > 0) {
      int skipped = (int) Math.min(swallowBytes, in.readableBytes());
      in.skipBytes(skipped);
      swallowBytes -= skipped;
    }
    if (!in.isReadable()) {
      return null;
    }
    if (!begun) {
      begun = true;
      if (in.getByte(in.readerIndex()) == BINARY_MAGIC) {
        return closing(in, Refusals.CLOSE);
      }
    }
    return command(in);
  }

  /**
   * Whether a request has begun but not ended, which distinguishes a slow client from an idle one.
   *
   * @param in the buffer of the last call of {@link #next}
   */
  public boolean isMidway(ByteBuf in) {
    return !closed && (body != null || swallowBytes > 0 || in.isReadable());
  }

  /**
   * Bytes of memory that an unfinished request will take.
   *
   * @param in the buffer of the last call of {@link #next}, which returned null
   */
  public int unfinishedBytes(ByteBuf in) {
    if (body != null) {
      return body.lengthBytes() + 2;
    }
    return in.readableBytes() > MAX_LINE_BYTES ? LONG_LINE_MEMORY_BYTES : in.readableBytes();
  }

  /** Whether a value has begun, or is about to. */
  public boolean isValueAwaited() {
    return body != null;
  }

  private @Nullable Request command(ByteBuf in) {
    int start = in.readerIndex();
    int end = in.indexOf(start + scannedBytes, in.writerIndex(), (byte) '\n');
    int length = (end < 0 ? in.writerIndex() : end) - start;
    if (length > (end < 0 ? MAX_UNFINISHED_BYTES : MAX_LINE_BYTES)) {
      boolean multiget = isMultiget(in);
      if (!multiget || length > MAX_MULTIGET_BYTES) {
        return closing(
            in, multiget ? new Refused(Refusals.LINE_TOO_LONG, true, null) : Refusals.CLOSE);
      }
    }
    if (end < 0) {
      scannedBytes = length;
      return null;
    }
    scannedBytes = 0;
    // memcached leaves the CR of an empty line on it; both are too short for a command
    line.load(in, start, length > 1 && in.getByte(end - 1) == '\r' ? length - 1 : length);
    in.readerIndex(end + 1);
    Request request = commands.parse();
    line.forget();
    if (request == null) {
      ItemBody announced = stores.takeBody();
      return announced == null ? null : value(in, announced);
    }
    swallowBytes = stores.takeSwallowBytes();
    closed = request == Plain.QUIT || (request instanceof Refused refused && refused.closes());
    return request;
  }

  private @Nullable Request value(ByteBuf in, ItemBody announced) {
    int length = announced.lengthBytes();
    if (in.readableBytes() < length + 2) {
      body = announced;
      return null;
    }
    body = null;
    int end = in.readerIndex() + length;
    if (in.getByte(end) != '\r' || in.getByte(end + 1) != '\n') {
      in.readerIndex(end + 2);
      return Refusals.line(Refusals.BAD_CHUNK, announced.noreply());
    }
    ByteBuf value = isWorthCopy(in, length) ? in.readBytes(length) : in.readRetainedSlice(length);
    in.readerIndex(end + 2);
    return announced.complete().apply(value);
  }

  /** Whether to copy a value: a slice keeps the whole buffer, which may be much larger. */
  private static boolean isWorthCopy(ByteBuf in, int length) {
    return in.capacity() > SMALL_BUFFER_BYTES && length < in.capacity() / 2;
  }

  private Request closing(ByteBuf in, Refused refused) {
    closed = true;
    in.skipBytes(in.readableBytes());
    return refused;
  }

  private static boolean isMultiget(ByteBuf in) {
    int at = in.readerIndex();
    int first = at;
    while (at < in.writerIndex() && in.getByte(at) == ' ') {
      at++;
    }
    return at - first <= MAX_LEADING_SPACES
        && (startsWith(in, at, "get ") || startsWith(in, at, "gets "));
  }

  private static boolean startsWith(ByteBuf in, int at, String word) {
    if (in.writerIndex() - at < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (in.getByte(at + i) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}

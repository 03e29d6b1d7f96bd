package io.counterpart.cache.protocol.server;

import io.counterpart.cache.protocol.TokenLine;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one memcached server's bytes into replies, however the bytes are split.
 *
 * <p>The caller keeps one buffer, appends to it and calls {@link #next} until it returns null;
 * between calls the unread bytes must stay as they are. Not thread-safe; one for each connection.
 */
public final class ServerReplyDecoder {

  /** Bound on an answer's line: 1.6.18 builds lines in 1,024 bytes. */
  static final int MAX_LINE_BYTES = 4096;

  /** Indexes in {@code VALUE key flags length cas}. */
  private static final int FLAGS_TOKEN = 2;

  private static final int LENGTH_TOKEN = 3;
  private static final int CAS_TOKEN = 4;

  private static final List<ReplyStatus> STATUSES = List.of(ReplyStatus.values());

  private final TokenLine line = new TokenLine();
  private final int maxValueBytes;

  private int scannedBytes;
  private int valueBytes = -1;
  private ReplyStatus valueStatus = ReplyStatus.VA;
  private ReplyFlags valueFlags = ReplyFlags.NONE;

  /**
   * A decoder that treats a value longer than {@code maxValueBytes} as malformed.
   *
   * @throws IllegalArgumentException if that is not 0 to 1 GiB
   */
  public ServerReplyDecoder(int maxValueBytes) {
    if (maxValueBytes < 0 || maxValueBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "largest value of " + maxValueBytes + " bytes; legal: 0 to " + (1 << 30));
    }
    this.maxValueBytes = maxValueBytes;
  }

  /**
   * The next reply; its bytes are consumed from the buffer.
   *
   * @return the reply, owned by the caller, or null if more bytes are needed
   * @throws MalformedReplyException if the bytes are not an answer; the decoder is useless
   *     afterwards
   */
  public @Nullable ServerReply next(ByteBuf in) throws MalformedReplyException {
    if (valueBytes >= 0) {
      return value(in);
    }
    int start = in.readerIndex();
    int end = in.indexOf(start + scannedBytes, in.writerIndex(), (byte) '\n');
    int length = (end < 0 ? in.writerIndex() : end) - start;
    if (length > MAX_LINE_BYTES) {
      throw new MalformedReplyException(
          "a line of " + length + " bytes; at most " + MAX_LINE_BYTES + " are an answer");
    }
    if (end < 0) {
      scannedBytes = length;
      return null;
    }
    scannedBytes = 0;
    if (length == 0 || in.getByte(end - 1) != '\r') {
      throw new MalformedReplyException("a line that does not end in CRLF");
    }
    line.load(in, start, length - 1);
    in.readerIndex(end + 1);
    return reply(in);
  }

  private @Nullable ServerReply reply(ByteBuf in) throws MalformedReplyException {
    ReplyStatus status = status();
    if (status == ReplyStatus.VA) {
      expectValue(status, 1, ReplyFlags.parse(line, 2));
      return value(in);
    }
    if (status == ReplyStatus.VALUE) {
      ReplyFlags flags = ReplyFlags.ofItem((int) number(FLAGS_TOKEN), number(CAS_TOKEN));
      expectValue(status, LENGTH_TOKEN, flags);
      return value(in);
    }
    if (status.isMeta()) {
      return new ServerReply(status, ReplyFlags.parse(line, 1), "", null);
    }
    String text = line.count() > 1 ? line.tail(line.length(0) + 1) : "";
    return new ServerReply(status, ReplyFlags.NONE, text, null);
  }

  private void expectValue(ReplyStatus status, int lengthToken, ReplyFlags flags)
      throws MalformedReplyException {
    long length = number(lengthToken);
    if (length < 0) {
      throw malformed();
    }
    if (length > maxValueBytes) {
      throw new MalformedReplyException(
          "a value of " + length + " bytes; legal: up to " + maxValueBytes);
    }
    valueStatus = status;
    valueBytes = (int) length;
    valueFlags = flags;
  }

  private long number(int token) throws MalformedReplyException {
    if (line.count() <= token || !line.readUnsigned(token, 0)) {
      throw malformed();
    }
    return line.number();
  }

  private @Nullable ServerReply value(ByteBuf in) throws MalformedReplyException {
    if (in.readableBytes() < valueBytes + 2) {
      return null;
    }
    int end = in.readerIndex() + valueBytes;
    if (in.getByte(end) != '\r' || in.getByte(end + 1) != '\n') {
      throw new MalformedReplyException("a value of " + valueBytes + " bytes without CRLF");
    }
    ByteBuf value = in.readRetainedSlice(valueBytes);
    in.readerIndex(end + 2);
    ReplyFlags flags = valueFlags;
    valueBytes = -1;
    valueFlags = ReplyFlags.NONE;
    return new ServerReply(valueStatus, flags, "", value);
  }

  private ReplyStatus status() throws MalformedReplyException {
    if (line.count() == 0) {
      throw malformed();
    }
    for (ReplyStatus status : STATUSES) {
      if (line.is(0, status.name())) {
        return status;
      }
    }
    if (line.is(0, "ERROR:")) {
      return ReplyStatus.ERROR;
    }
    throw malformed();
  }

  private MalformedReplyException malformed() {
    return new MalformedReplyException("no memcached answer: '" + line.printable() + "'");
  }
}

package io.counterpart.cache.protocol;

import io.counterpart.cache.protocol.Request.MetaSet;
import io.counterpart.cache.protocol.Request.Refused;
import io.counterpart.cache.protocol.Request.Store;
import org.jspecify.annotations.Nullable;

/**
 * Parses the lines that announce a value. After a null result, {@link #takeBody} describes the
 * value that follows; after a refusal, {@link #takeSwallowBytes} returns how many of the following
 * bytes belong to it.
 */
final class StoreParser {

  private static final int CRLF_BYTES = 2;

  private final TokenLine line;
  private final int maxValueBytes;
  private @Nullable ItemBody body;
  private long swallowBytes;

  StoreParser(TokenLine line, int maxValueBytes) {
    this.line = line;
    this.maxValueBytes = maxValueBytes;
  }

  /** A classic command; CAS has one more argument. */
  @Nullable Request parse(StoreMode mode) {
    int arguments = mode == StoreMode.CAS ? 6 : 5;
    if (line.count() != arguments && line.count() != arguments + 1) {
      return Refusals.ERROR;
    }
    boolean noreply = line.saysNoreply();
    if (line.length(1) > Key.MAX_BYTES || !line.readUnsigned(2, 0)) {
      return Refusals.line(Refusals.BAD_FORMAT, noreply);
    }
    int flags = (int) line.number();
    if (!line.readSigned(3, 0)) {
      return Refusals.line(Refusals.BAD_FORMAT, noreply);
    }
    int exptime = (int) line.number();
    int length = readLength(4);
    if (length < 0 || (mode == StoreMode.CAS && !line.readUnsigned(5, 0))) {
      return Refusals.line(Refusals.BAD_FORMAT, noreply);
    }
    long cas = mode == StoreMode.CAS ? line.number() : 0;
    Key key = line.key(1);
    if (length > maxValueBytes) {
      swallow(length);
      return new Refused(
          noreply ? "" : Refusals.TOO_LARGE, false, mode == StoreMode.SET ? key : null);
    }
    body =
        new ItemBody(
            length, noreply, value -> new Store(mode, key, flags, exptime, cas, noreply, value));
    return null;
  }

  /** The line of {@code ms}, whose key is not too long. */
  @Nullable Request parseMeta() {
    if (line.count() < 3) {
      return Refusals.line(Refusals.BAD_FORMAT);
    }
    if (line.count() >= MetaParser.MAX_TOKENS) {
      return Refusals.line(MetaParser.TOO_MANY);
    }
    int length = readLength(2);
    return length < 0 ? Refusals.line(Refusals.BAD_FORMAT) : parseMeta(length);
  }

  /** Parses the rest; from here on the value belongs to the command even if that is refused. */
  private @Nullable Request parseMeta(int length) {
    MetaFlagsParser parsed = new MetaFlagsParser(line);
    String error = parsed.parse(3);
    Key key = parsed.key;
    StoreMode mode = mode(parsed);
    if (error == null && mode == null) {
      error = "CLIENT_ERROR invalid mode for ms M token";
    }
    if (error == null && parsed.opaque.length() > MetaFlags.MAX_OPAQUE_BYTES) {
      error = Refusals.LONG_OPAQUE;
    }
    boolean tooLarge = error == null && length > maxValueBytes;
    if (error != null || tooLarge || mode == null || key == null) {
      swallow(length);
      return error == null ? new Refused(Refusals.TOO_LARGE, false, key) : Refusals.line(error);
    }
    MetaFlags flags = parsed.flags();
    body = new ItemBody(length, false, value -> new MetaSet(key, flags, mode, value));
    return null;
  }

  private static @Nullable StoreMode mode(MetaFlagsParser parsed) {
    boolean compares = (parsed.present & MetaFlags.bit('C')) != 0;
    return switch (parsed.mode) {
      case 0, 'S' -> compares ? StoreMode.CAS : StoreMode.SET;
      case 'R' -> compares ? StoreMode.CAS : StoreMode.REPLACE;
      case 'E' -> StoreMode.ADD;
      case 'A' -> StoreMode.APPEND;
      case 'P' -> StoreMode.PREPEND;
      default -> null;
    };
  }

  /** The length of a value, or -1 if the token is not a length. */
  private int readLength(int token) {
    if (!line.readSigned(token, 0)) {
      return -1;
    }
    int length = (int) line.number();
    return length > Integer.MAX_VALUE - CRLF_BYTES ? -1 : Math.max(length, -1);
  }

  private void swallow(int length) {
    swallowBytes = (long) length + CRLF_BYTES;
  }

  @Nullable ItemBody takeBody() {
    ItemBody taken = body;
    body = null;
    return taken;
  }

  long takeSwallowBytes() {
    long taken = swallowBytes;
    swallowBytes = 0;
    return taken;
  }
}

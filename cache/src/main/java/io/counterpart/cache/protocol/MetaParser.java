package io.counterpart.cache.protocol;

import io.counterpart.cache.protocol.Request.MetaArithmetic;
import io.counterpart.cache.protocol.Request.MetaDebug;
import io.counterpart.cache.protocol.Request.MetaDelete;
import io.counterpart.cache.protocol.Request.MetaGet;
import io.counterpart.cache.protocol.Request.Plain;
import org.jspecify.annotations.Nullable;

/** Parses a line that begins with {@code m} and one more letter. */
final class MetaParser {

  /** Number of tokens, including command and key, from which on there are too many flags. */
  static final int MAX_TOKENS = 20;

  static final String TOO_MANY = "CLIENT_ERROR options flags too long";

  private final TokenLine line;
  private final StoreParser stores;

  MetaParser(TokenLine line, StoreParser stores) {
    this.line = line;
    this.stores = stores;
  }

  @Nullable Request parse() {
    return switch (line.byteAt(0, 1)) {
      case 'n' -> Plain.NOOP;
      case 'e' -> debug();
      case 'g', 's', 'd', 'a' -> keyed((char) line.byteAt(0, 1));
      default -> Refusals.ERROR;
    };
  }

  private @Nullable Request keyed(char command) {
    if (line.count() < 2) {
      return Refusals.ERROR;
    }
    if (line.length(1) > Key.MAX_BYTES) {
      return Refusals.line(Refusals.BAD_FORMAT);
    }
    if (command == 's') {
      return stores.parseMeta();
    }
    if (line.count() >= MAX_TOKENS) {
      return Refusals.line(command == 'g' ? "CLIENT_ERROR options flags are too long" : TOO_MANY);
    }
    MetaFlagsParser parsed = new MetaFlagsParser(line);
    String error = parsed.parse(2);
    Key key = parsed.key;
    if (error != null || key == null) {
      return Refusals.line(
          command == 'g' && error != null ? error : "CLIENT_ERROR invalid or duplicate flag");
    }
    return command == 'a' ? arithmetic(key, parsed) : withOpaque(command, key, parsed);
  }

  private static Request withOpaque(char command, Key key, MetaFlagsParser parsed) {
    if (parsed.opaque.length() > MetaFlags.MAX_OPAQUE_BYTES) {
      return Refusals.line(Refusals.LONG_OPAQUE);
    }
    MetaFlags flags = parsed.flags();
    return command == 'g' ? new MetaGet(key, flags) : new MetaDelete(key, flags);
  }

  private static Request arithmetic(Key key, MetaFlagsParser parsed) {
    boolean increments = parsed.mode == 0 || parsed.mode == 'I' || parsed.mode == '+';
    if (!increments && parsed.mode != 'D' && parsed.mode != '-') {
      return Refusals.line("CLIENT_ERROR invalid mode for ma M token");
    }
    return parsed.opaque.length() > MetaFlags.MAX_OPAQUE_BYTES
        ? Refusals.line(Refusals.LONG_OPAQUE)
        : new MetaArithmetic(key, parsed.flags(), increments);
  }

  private Request debug() {
    if (line.count() < 2 || line.length(1) > Key.MAX_BYTES) {
      return Refusals.line(Refusals.BAD_FORMAT);
    }
    if (line.count() < 3 || !line.is(2, "b")) {
      return new MetaDebug(line.key(1));
    }
    byte[] key = KeyBase64.read(line.copy(1));
    return key.length == 0 ? Refusals.line(Refusals.BAD_FORMAT) : new MetaDebug(Key.owning(key));
  }
}

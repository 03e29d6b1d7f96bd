package io.counterpart.cache.protocol;

import org.jspecify.annotations.Nullable;

/** Parses the flags of a meta command as memcached 1.6.18 does, with errors in its order. */
final class MetaFlagsParser {

  private static final String BAD_TOKEN = "CLIENT_ERROR bad token in command line format";
  private static final String DUPLICATE = "CLIENT_ERROR duplicate flag";
  private static final String INVALID = "CLIENT_ERROR invalid flag";
  private static final String BAD_KEY = "CLIENT_ERROR error decoding key";

  long present;
  String opaque = "";
  int exptime;
  int vivifyExptime;
  int recacheExptime;
  int clientFlags;
  long cas;
  long delta = 1;
  long initial;
  char mode;

  /** The key: decoded, if it was in base64. */
  @Nullable Key key;

  private final TokenLine line;
  private final StringBuilder order = new StringBuilder();
  private @Nullable String error;
  private boolean failed;

  MetaFlagsParser(TokenLine line) {
    this.line = line;
  }

  /**
   * Parses the tokens from {@code first} on.
   *
   * @return the error line, or null
   */
  @Nullable String parse(int first) {
    for (int token = first; token < line.count(); token++) {
      int letter = line.byteAt(token, 0);
      if (letter < 0 || letter == 127) {
        return DUPLICATE;
      }
      if (!isKnown(letter)) {
        return INVALID;
      }
      if ((present & MetaFlags.bit(letter)) != 0) {
        return DUPLICATE;
      }
      present |= MetaFlags.bit(letter);
      order.append((char) letter);
      readValue(letter, token);
    }
    if (!failed && key == null) {
      key = line.key(1);
    }
    return failed ? (error == null ? Refusals.BAD_FORMAT : error) : null;
  }

  private static boolean isKnown(int letter) {
    return "bNTRlOPLkstcfvhuqFCMJDI".indexOf(letter) >= 0;
  }

  private void readValue(int letter, int token) {
    switch (letter) {
      case 'b' -> readKey();
      case 'O' -> opaque = line.text(token).substring(1);
      case 'T' -> exptime = signed(token);
      case 'N' -> vivifyExptime = signed(token);
      case 'R' -> recacheExptime = signed(token);
      // the only error without its own message: an earlier one's message stays
      case 'F' -> clientFlags = (int) unsigned(token, error);
      case 'C' -> cas = unsigned(token, BAD_TOKEN);
      case 'D' -> delta = unsigned(token, "CLIENT_ERROR invalid numeric delta value");
      case 'J' -> initial = unsigned(token, "CLIENT_ERROR invalid numeric initial value");
      case 'M' -> readMode(token);
      default -> {}
    }
  }

  private void readKey() {
    byte[] decoded = KeyBase64.read(line.copy(1));
    if (decoded.length == 0) {
      fail(BAD_KEY);
    } else {
      key = Key.owning(decoded);
    }
  }

  private void readMode(int token) {
    if (line.length(token) == 2) {
      mode = (char) (line.byteAt(token, 1) & 0xff);
    } else {
      fail("CLIENT_ERROR incorrect length for M token");
    }
  }

  private int signed(int token) {
    if (line.readSigned(token, 1)) {
      return (int) line.number();
    }
    fail(BAD_TOKEN);
    return 0;
  }

  private long unsigned(int token, @Nullable String otherwise) {
    if (line.readUnsigned(token, 1)) {
      return line.number();
    }
    fail(otherwise);
    return 0;
  }

  /** Notes an error; of several errors the last one is reported. */
  private void fail(@Nullable String message) {
    error = message;
    failed = true;
  }

  /** The flags, if there is no error. */
  MetaFlags flags() {
    return new MetaFlags(
        present,
        order.toString(),
        opaque,
        exptime,
        vivifyExptime,
        recacheExptime,
        clientFlags,
        cas,
        delta,
        initial);
  }
}

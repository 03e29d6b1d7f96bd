package io.counterpart.cache.protocol;

import io.counterpart.cache.protocol.Request.Refused;

/** The error lines of memcached 1.6.18. */
final class Refusals {

  static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";
  static final String BAD_EXPTIME = "CLIENT_ERROR invalid exptime argument";
  static final String BAD_DELTA = "CLIENT_ERROR invalid numeric delta argument";
  static final String BAD_DELETE =
      "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]";
  static final String BAD_CHUNK = "CLIENT_ERROR bad data chunk";
  static final String TOO_LARGE = "SERVER_ERROR object too large for cache";
  static final String LINE_TOO_LONG = "SERVER_ERROR out of memory reading request";
  static final String NO_SHUTDOWN = "ERROR: shutdown not enabled";
  static final String LONG_OPAQUE = "CLIENT_ERROR opaque token too long";

  static final String SMALL_LIMIT = "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m";
  static final String FIXED_LIMIT = "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust";
  static final String NO_SPARE_PAGE = "NOSPARE source class has no spare pages";
  static final String NO_REASSIGNMENT = "CLIENT_ERROR slab reassignment disabled";

  static final String NO_CRAWLER = "CLIENT_ERROR lru crawler disabled";

  static final Refused ERROR = line("ERROR");

  /** An error that is not answered, because the client said {@code noreply}. */
  static final Refused SILENT = line("");

  /** Garbage that memcached does not answer. */
  static final Refused CLOSE = new Refused("", true, null);

  private Refusals() {}

  static Refused line(String answer) {
    return new Refused(answer, false, null);
  }

  static Refused line(String answer, boolean noreply) {
    return noreply ? SILENT : line(answer);
  }
}

package io.counterpart.cassandra.locator;

import java.util.Locale;
import org.apache.cassandra.net.Verb;
import org.jspecify.annotations.Nullable;

/** Kinds of reads that have timings and standings of their own. */
enum ReadKind {
  POINT,
  RANGE;

  /** The kind of a request; null for anything but a read. */
  static @Nullable ReadKind ofRequest(Verb verb) {
    return switch (verb) {
      case READ_REQ -> POINT;
      case RANGE_REQ -> RANGE;
      default -> null;
    };
  }

  /** In the virtual table. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

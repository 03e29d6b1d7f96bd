package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;

/**
 * Bytes of a table's files by whether their copies lie in groups: what {@link SmallTable} goes by.
 * FOREIGN files, and files that have no role yet, count in neither.
 *
 * @param divided in the two-layer log and the primary tree
 * @param undivided in files with copies of both kinds
 */
public record LogBytes(long divided, long undivided) {
  public static final LogBytes NONE = new LogBytes(0, 0);

  /** The sum with one more file. */
  public LogBytes plus(Role role, long bytes) {
    return switch (role) {
      case MIXED -> new LogBytes(divided, undivided + bytes);
      case FOREIGN -> this;
      default -> new LogBytes(divided + bytes, undivided);
    };
  }
}

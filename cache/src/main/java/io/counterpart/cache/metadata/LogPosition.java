package io.counterpart.cache.metadata;

/** A position in a log: the number of a file × 2³² + the offset in it. No state. */
public final class LogPosition {
  private LogPosition() {}

  /** The position of an offset in a file. */
  public static long of(int file, int offset) {
    return (long) file << Integer.SIZE | offset;
  }

  /** Number of the file. */
  public static int file(long position) {
    return (int) (position >>> Integer.SIZE);
  }

  /** Offset in the file. */
  public static int offset(long position) {
    return (int) position;
  }

  /** For messages, such as {@code 17 of file 3}. */
  public static String name(long position) {
    return "%d of file %d".formatted(offset(position), file(position));
  }
}

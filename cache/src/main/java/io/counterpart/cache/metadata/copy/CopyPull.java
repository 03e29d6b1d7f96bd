package io.counterpart.cache.metadata.copy;

/**
 * A request for bytes of a log's file.
 *
 * @param copy id of the copy that asks
 * @param durable position of the log up to which that copy has it on its disk
 * @param file number of the file; 0 in a farewell
 * @param offset of the first byte in it
 */
public record CopyPull(long copy, long durable, int file, int offset) {
  /** The message of a copy that is about to drop what it has: it must not count any more. */
  public static CopyPull farewell(long copy) {
    return new CopyPull(copy, 0, 0, 0);
  }

  /** Whether the copy does not want to count any more. */
  public boolean isFarewell() {
    return file == 0;
  }
}

package io.counterpart.cassandra.writer;

/**
 * Sizes of the last few flushes since the node started. Cassandra's own average of a table's
 * flushes has a memory of a thousand: after a small first one it stays too low for dozens of large
 * ones. Thread-safe.
 */
public final class RecentFlushes {
  private static final int REMEMBERED = 8;

  private final long[] bytes = new long[REMEMBERED];
  private int next;

  /** A flush has written its sstables. */
  synchronized void add(long bytesOnDisk) {
    bytes[next] = bytesOnDisk;
    next = (next + 1) % REMEMBERED;
  }

  /** Bytes on disk of the largest; 0 before the first. */
  public synchronized long largestBytes() {
    long largest = 0;
    for (long flush : bytes) {
      largest = Math.max(largest, flush);
    }
    return largest;
  }
}

package io.counterpart.cassandra.writer;

import io.counterpart.core.ring.RingView;

/**
 * Limits the sstables that a flush writes at once to 1/32 of the heap, and to the limit of a
 * rewrite. Worked: 8 GiB ÷ 32 ÷ 256 KiB = 1024, so 128; a heap of 512 MiB allows 64.
 */
final class OpenWriters {
  /** Buffers of data and index, statistics, compression offsets; without secondary indexes. */
  static final long WRITER_BYTES = 256 << 10;

  private static final int SHARE_OF_HEAP = 32;

  private OpenWriters() {}

  /**
   * The bound for a heap.
   *
   * @param heapBytes largest size of the heap
   */
  static int most(long heapBytes) {
    long fitting = heapBytes / SHARE_OF_HEAP / WRITER_BYTES;
    return (int) Math.min(RingView.mostScatteredGroups(), fitting);
  }
}

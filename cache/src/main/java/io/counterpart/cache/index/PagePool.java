package io.counterpart.cache.index;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Pages of {@link #ENTRIES} longs outside the heap, cut from larger direct buffers. Pages are only
 * taken, never given back: a table that grows by pages leaves no garbage behind, as a table would
 * that is copied into a larger buffer (direct buffers are freed by the garbage collector alone).
 *
 * <p>A page is named by an int: the buffer's index and the page's index within it.
 */
final class PagePool {
  static final int ENTRIES_BITS = 9;
  static final int ENTRIES = 1 << ENTRIES_BITS;

  private static final int PAGE_BYTES = ENTRIES * Long.BYTES;
  private static final int PAGE_BITS = 10;
  private static final int MIN_PAGES = 4;
  private static final int MAX_PAGES = 1 << PAGE_BITS;

  /** A new buffer has this fraction of the existing pages, which bounds the idle ones. */
  private static final int IDLE_PART = 64;

  private ByteBuffer[] buffers = new ByteBuffer[8];
  private int bufferCount;
  private int takenOfLast;
  private int pagesOfLast;
  private long pages;

  /** A page full of zeros. */
  int take() {
    if (takenOfLast == pagesOfLast) {
      addBuffer();
    }
    return (bufferCount - 1) << PAGE_BITS | takenOfLast++;
  }

  private void addBuffer() {
    int wanted = (int) Math.min(MAX_PAGES, Math.max(MIN_PAGES, pages / IDLE_PART));
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(wanted * PAGE_BYTES).order(ByteOrder.nativeOrder());
    if (bufferCount == buffers.length) {
      buffers = Arrays.copyOf(buffers, 2 * bufferCount);
    }
    buffers[bufferCount++] = buffer;
    pagesOfLast = wanted;
    takenOfLast = 0;
    pages += wanted;
  }

  long get(int page, int index) {
    return buffers[page >>> PAGE_BITS].getLong(offset(page, index));
  }

  void put(int page, int index, long value) {
    buffers[page >>> PAGE_BITS].putLong(offset(page, index), value);
  }

  private static int offset(int page, int index) {
    return (page & (MAX_PAGES - 1)) * PAGE_BYTES + index * Long.BYTES;
  }

  /** Bytes outside the heap, those of pages not taken yet included. */
  long bytes() {
    return pages * PAGE_BYTES;
  }
}

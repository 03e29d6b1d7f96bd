package io.counterpart.cache.index;

import java.util.Arrays;

/**
 * The entries whose fingerprints begin with the same bits, in ascending order with gaps: linear
 * probing from the home that {@link IndexShape} gives. Homes ascend with entries, so the order by
 * entry is the order that Robin Hood hashing would give, a search may stop at the first larger
 * entry, and {@link Respread} can make room within the pages by one scan.
 */
final class IndexSegment {
  /** A segment is at most 15/16 full; after growing by an eighth it is 5/6 full. */
  static final int FULL_OF_16 = 15;

  private final PagePool pool;
  private IndexShape shape;
  private int[] pages;
  private int size;

  /**
   * @param pages as many as the shape has, all empty; or {@link #spreadFrom} fills them with {@code
   *     size} entries
   */
  IndexSegment(PagePool pool, IndexShape shape, int[] pages, int size) {
    this.pool = pool;
    this.shape = shape;
    this.pages = pages;
    this.size = size;
  }

  int depth() {
    return shape.depth();
  }

  int size() {
    return size;
  }

  int pageCount() {
    return pages.length;
  }

  int[] pages() {
    return pages;
  }

  int capacity() {
    return pages.length << PagePool.ENTRIES_BITS;
  }

  private int home(long entry) {
    return shape.home(entry);
  }

  long get(int at) {
    return pool.get(pages[at >>> PagePool.ENTRIES_BITS], at & (PagePool.ENTRIES - 1));
  }

  private void put(int at, long entry) {
    pool.put(pages[at >>> PagePool.ENTRIES_BITS], at & (PagePool.ENTRIES - 1), entry);
  }

  /** First place at or after the entry's home that is empty or holds no smaller entry. */
  int lowerBound(long entry) {
    int capacity = capacity();
    int at = home(entry);
    while (at < capacity) {
      long here = get(at);
      if (here == IndexEntry.EMPTY || Long.compareUnsigned(here, entry) >= 0) {
        return at;
      }
      at++;
    }
    return at;
  }

  /** First entry that is not smaller than the given one, or {@link IndexEntry#EMPTY} at a gap. */
  long ceiling(long entry) {
    int at = lowerBound(entry);
    return at == capacity() ? IndexEntry.EMPTY : get(at);
  }

  boolean isFull() {
    return (size + 1L) * 16 > (long) capacity() * FULL_OF_16;
  }

  /** Adds an entry; false, and nothing has changed, if the places at the end do not suffice. */
  boolean add(long entry) {
    int at = lowerBound(entry);
    int gap = at;
    while (gap < capacity() && get(gap) != IndexEntry.EMPTY) {
      gap++;
    }
    if (gap == capacity()) {
      return false;
    }
    for (int to = gap; to > at; to--) {
      put(to, get(to - 1));
    }
    put(at, entry);
    size++;
    return true;
  }

  /** Removes an entry; false if it is not there. Displaced entries after it move one back. */
  boolean remove(long entry) {
    int at = lowerBound(entry);
    if (at == capacity() || get(at) != entry) {
      return false;
    }
    int next = at + 1;
    while (next < capacity() && get(next) != IndexEntry.EMPTY && home(get(next)) < next) {
      put(next - 1, get(next));
      next++;
    }
    put(next - 1, IndexEntry.EMPTY);
    size--;
    return true;
  }

  /** Takes another shape, of at least as many pages, and moves all entries to its end, in order. */
  void gatherAtEnd(IndexShape next) {
    int old = pages.length;
    pages = Arrays.copyOf(pages, next.pages());
    for (int page = old; page < pages.length; page++) {
      pages[page] = pool.take();
    }
    shape = next;
    int to = capacity();
    for (int from = (old << PagePool.ENTRIES_BITS) - 1; from >= 0; from--) {
      long entry = get(from);
      if (entry != IndexEntry.EMPTY) {
        put(--to, entry);
      }
    }
  }

  /**
   * Fills this segment with {@code size} entries that stand in order in {@code source}, which may
   * be this segment or one that shares its pages: writing never overtakes reading.
   */
  void spreadFrom(IndexSegment source, int firstPlace) {
    int next = 0;
    for (int i = 0; i < size; i++) {
      long entry = source.get(firstPlace + i);
      int at = Math.max(home(entry), next);
      clear(next, at);
      put(at, entry);
      next = at + 1;
    }
    clear(next, capacity());
  }

  private void clear(int from, int to) {
    for (int at = from; at < to; at++) {
      put(at, IndexEntry.EMPTY);
    }
  }
}

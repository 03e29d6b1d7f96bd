package io.counterpart.cache.index;

import java.util.Arrays;

/**
 * Makes room in an index segment: adds an eighth of its pages, or cuts it in two. Both work in
 * place: all entries move to the end, then each to its new place, from the front.
 */
final class Respread {
  /** Number of pages at which a segment is cut: a bound on the pause of one insert. */
  static final int MAX_PAGES = 64;

  private static final int MAX_DEPTH = 24;
  private static final int LARGEST_HALF_OF_4 = 3;

  private final PagePool pool;

  Respread(PagePool pool) {
    this.pool = pool;
  }

  /**
   * Whether to cut the segment rather than let it grow. Not if nearly all entries would be in one
   * half: then many keys share one fingerprint, and cutting would never end.
   */
  boolean shouldCut(IndexSegment segment) {
    if (segment.pageCount() < MAX_PAGES || segment.depth() >= MAX_DEPTH) {
      return false;
    }
    int lower = lowerCount(segment);
    int larger = Math.max(lower, segment.size() - lower);
    return larger * 4L <= (long) segment.size() * LARGEST_HALF_OF_4;
  }

  /** Grows a segment by an eighth of its pages, at least by one. */
  void grow(IndexSegment segment) {
    int pages = segment.pageCount() + Math.max(1, segment.pageCount() / 8);
    segment.gatherAtEnd(fit(segment, 0, segment.capacity(), segment.depth(), pages));
    segment.spreadFrom(segment, segment.capacity() - segment.size());
  }

  /**
   * Cuts a segment in two by the next bit of its fingerprints. The segment must not be used any
   * more.
   *
   * @return the lower and the upper half
   */
  IndexSegment[] cut(IndexSegment segment) {
    int depth = segment.depth() + 1;
    int border = border(segment);
    int lowerSize = lowerCount(segment);
    int upperSize = segment.size() - lowerSize;
    IndexShape lower = fit(segment, 0, border, depth, pagesFor(segment, lowerSize, 0));
    int rest = segment.pageCount() - lower.pages();
    IndexShape upper =
        fit(
            segment,
            border,
            segment.capacity(),
            depth,
            Math.max(rest, pagesFor(segment, upperSize, 1)));
    segment.gatherAtEnd(
        new IndexShape(segment.depth(), lower.pages() + upper.pages(), IndexShape.MIN_OVERFLOW));
    int first = segment.capacity() - segment.size();
    int[] pages = segment.pages();
    int[] lowerPages = Arrays.copyOf(pages, lower.pages());
    int[] upperPages = Arrays.copyOfRange(pages, lower.pages(), pages.length);
    IndexSegment[] halves = {
      new IndexSegment(pool, lower, lowerPages, lowerSize),
      new IndexSegment(pool, upper, upperPages, upperSize)
    };
    halves[0].spreadFrom(segment, first);
    halves[1].spreadFrom(segment, first + lowerSize);
    return halves;
  }

  /**
   * Pages of a half. The fill differs from half to half, between 15/16 and 15/16 × 8/9, so that
   * segments do not all grow at the same number of objects.
   */
  private static int pagesFor(IndexSegment segment, int size, int half) {
    long prefix = firstEntry(segment) >>> (Long.SIZE - 1 - segment.depth()) << 1 | half;
    long spread = ((prefix + 1) * 0x9E3779B97F4A7C15L) >>> 40;
    double full = IndexSegment.FULL_OF_16 / 16.0 * (1 - spread / (9.0 * (1 << 24)));
    return Math.max(1, (int) Math.ceil(size / (full * PagePool.ENTRIES)));
  }

  private static long firstEntry(IndexSegment segment) {
    int at = 0;
    while (segment.get(at) == IndexEntry.EMPTY) {
      at++;
    }
    return segment.get(at);
  }

  private static int lowerCount(IndexSegment segment) {
    int border = border(segment);
    int count = 0;
    for (int at = 0; at < border; at++) {
      if (segment.get(at) != IndexEntry.EMPTY) {
        count++;
      }
    }
    return count;
  }

  /** First place that holds an entry of the upper half; the capacity if none does. */
  private static int border(IndexSegment segment) {
    for (int at = 0; at < segment.capacity(); at++) {
      long entry = segment.get(at);
      if (entry != IndexEntry.EMPTY && (entry << segment.depth()) < 0) {
        return at;
      }
    }
    return segment.capacity();
  }

  /** A shape of at least this many pages that holds the entries of some places and one more. */
  private static IndexShape fit(IndexSegment segment, int from, int to, int depth, int pages) {
    IndexShape shape = new IndexShape(depth, pages, IndexShape.MIN_OVERFLOW);
    while (end(segment, from, to, shape) >= shape.capacity()) {
      int overflow = 2 * shape.overflow();
      int needed = (2 * overflow) >>> PagePool.ENTRIES_BITS;
      shape = new IndexShape(depth, Math.max(pages, needed), overflow);
    }
    return shape;
  }

  /** The place after the entries of some places in a shape. */
  private static int end(IndexSegment segment, int from, int to, IndexShape shape) {
    int end = 0;
    for (int at = from; at < to; at++) {
      long entry = segment.get(at);
      if (entry != IndexEntry.EMPTY) {
        end = Math.max(shape.home(entry), end) + 1;
      }
    }
    return end;
  }
}

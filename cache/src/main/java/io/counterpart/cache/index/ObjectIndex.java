package io.counterpart.cache.index;

import java.util.Arrays;

/**
 * Maps each object of a shard to its stripe and slot: a hash table outside the heap with 8 bytes an
 * entry, about 9 bytes an object. An entry holds a fingerprint, 29 bits of the key's hash, instead
 * of the key. So a look-up gives candidates: with a million objects, one look-up in 500 gives a
 * candidate of another key, which the chunk index rules out. The key's ring implies the chunk.
 *
 * <p>Entries are in the order of their fingerprints, the upper bits of the hash, which is also the
 * order of positions on a hash ring: {@link #forEach} reads just the entries of an arc.
 *
 * <p>The table consists of index segments that grow by an eighth, within their pages; from some ten
 * thousand objects up it is 83 to 93 % full. It never shrinks: removed entries leave room for new
 * ones.
 *
 * <p>Not thread-safe: the thread that owns the shard uses it alone.
 *
 * <p>Paper: ECHash §3, Table 1. Deviates: length and offset follow from the slot, and the chunk
 * from the ring, so that a stripe's number has 28 bits and a fingerprint stands for the key.
 */
public final class ObjectIndex {
  /** Bits of a fingerprint. */
  public static final int FINGERPRINT_BITS = IndexEntry.FINGERPRINT_BITS;

  /** Highest number of a stripe. */
  public static final int MAX_STRIPE = IndexEntry.MAX_STRIPE;

  /** Highest number of a slot. */
  public static final int MAX_SLOT = IndexEntry.MAX_SLOT;

  /** The result of a look-up without a (further) candidate. */
  public static final long NONE = -1;

  private final PagePool pool = new PagePool();
  private final Respread respread = new Respread(pool);

  /**
   * Segments by the leading bits of fingerprints; a segment with fewer bits stands in several
   * places.
   */
  private IndexSegment[] directory;

  private int directoryBits;
  private long size;
  private long tablePages;

  /** An empty index. */
  public ObjectIndex() {
    IndexShape shape = new IndexShape(0, 1, IndexShape.MIN_OVERFLOW);
    this.directory = new IndexSegment[] {new IndexSegment(pool, shape, new int[] {pool.take()}, 0)};
    this.tablePages = 1;
  }

  /** The upper bits of a key's hash, 0 to 2²⁹ − 1. */
  public static int fingerprint(long keyHash) {
    return (int) (keyHash >>> (Long.SIZE - FINGERPRINT_BITS));
  }

  /** Stripe of a candidate. */
  public static int stripe(long candidate) {
    return (int) (candidate >>> IndexEntry.SLOT_BITS);
  }

  /** Slot of a candidate. */
  public static int slot(long candidate) {
    return (int) (candidate & MAX_SLOT);
  }

  /**
   * First candidate for a key.
   *
   * @return a number for {@link #stripe(long)} and {@link #slot(long)}, or {@link #NONE}
   */
  public long find(long keyHash) {
    return findNext(keyHash, NONE);
  }

  /** The candidate after the one given, or {@link #NONE}; candidates come by stripe and slot. */
  public long findNext(long keyHash, long candidate) {
    int fingerprint = fingerprint(keyHash);
    long smallest = IndexEntry.of(fingerprint, 0, 0) + (candidate + 1);
    long entry = segment(fingerprint).ceiling(smallest);
    boolean matches = entry != IndexEntry.EMPTY && IndexEntry.fingerprint(entry) == fingerprint;
    return matches ? IndexEntry.place(entry) : NONE;
  }

  /**
   * Adds an entry. Keys in different chunks of one column may have equal ones: each is there as
   * often as keys have it.
   *
   * @param stripe 0 to {@link #MAX_STRIPE}
   * @param slot 0 to {@link #MAX_SLOT}
   * @throws IllegalArgumentException if a number is illegal
   */
  public void add(long keyHash, int stripe, int slot) {
    int fingerprint = fingerprint(keyHash);
    long entry = IndexEntry.of(fingerprint, stripe, slot);
    IndexSegment segment = segment(fingerprint);
    while (segment.isFull() || !segment.add(entry)) {
      makeRoom(segment, fingerprint);
      segment = segment(fingerprint);
    }
    size++;
  }

  /**
   * Removes an entry, one of equal ones.
   *
   * @return false, and nothing has changed, if it is not there
   * @throws IllegalArgumentException if a number is illegal
   */
  public boolean remove(long keyHash, int stripe, int slot) {
    int fingerprint = fingerprint(keyHash);
    boolean removed = segment(fingerprint).remove(IndexEntry.of(fingerprint, stripe, slot));
    if (removed) {
      size--;
    }
    return removed;
  }

  /**
   * Passes all entries with fingerprints in a range, in ascending order.
   *
   * @param first lowest fingerprint
   * @param last highest fingerprint, inclusive
   * @param visitor must not change the index
   */
  public void forEach(int first, int last, Visitor visitor) {
    int prefix = first >>> (FINGERPRINT_BITS - directoryBits);
    int begin = directory[prefix].lowerBound(IndexEntry.of(first, 0, 0));
    while (prefix < directory.length
        && (long) prefix << (FINGERPRINT_BITS - directoryBits) <= last) {
      IndexSegment segment = directory[prefix];
      visit(segment, begin, last, visitor);
      int places = 1 << (directoryBits - segment.depth());
      prefix = (prefix & -places) + places;
      begin = 0;
    }
  }

  private static void visit(IndexSegment segment, int begin, int last, Visitor visitor) {
    for (int at = begin; at < segment.capacity(); at++) {
      long entry = segment.get(at);
      if (entry != IndexEntry.EMPTY) {
        int fingerprint = IndexEntry.fingerprint(entry);
        if (fingerprint > last) {
          return;
        }
        long place = IndexEntry.place(entry);
        visitor.visit(fingerprint, stripe(place), slot(place));
      }
    }
  }

  /** Number of entries. */
  public long size() {
    return size;
  }

  /** Memory in bytes: pages outside the heap, used or not, and the tables that find them. */
  public long bytesUsed() {
    return pool.bytes() + Integer.BYTES * tablePages + (long) Long.BYTES * directory.length;
  }

  /** Fill of the table, 0 to 1. */
  public double fill() {
    return (double) size / (tablePages * PagePool.ENTRIES);
  }

  private IndexSegment segment(int fingerprint) {
    return directory[fingerprint >>> (FINGERPRINT_BITS - directoryBits)];
  }

  private void makeRoom(IndexSegment segment, int fingerprint) {
    int before = segment.pageCount();
    if (!respread.shouldCut(segment)) {
      respread.grow(segment);
      tablePages += segment.pageCount() - before;
      return;
    }
    if (segment.depth() == directoryBits) {
      doubleDirectory();
    }
    IndexSegment[] halves = respread.cut(segment);
    tablePages += halves[0].pageCount() + halves[1].pageCount() - before;
    int places = 1 << (directoryBits - segment.depth());
    int first = fingerprint >>> (FINGERPRINT_BITS - directoryBits) & -places;
    Arrays.fill(directory, first, first + places / 2, halves[0]);
    Arrays.fill(directory, first + places / 2, first + places, halves[1]);
  }

  private void doubleDirectory() {
    IndexSegment[] doubled = new IndexSegment[2 * directory.length];
    for (int i = 0; i < doubled.length; i++) {
      doubled[i] = directory[i / 2];
    }
    directory = doubled;
    directoryBits++;
  }

  /** Takes entries. */
  @FunctionalInterface
  public interface Visitor {
    /** One entry. */
    void visit(int fingerprint, int stripe, int slot);
  }
}

package io.counterpart.cache.index;

/**
 * Maps entries to places in an index segment: {@code home = fingerprint within the segment × homes
 * >> bits}. The last {@code overflow} places are nobody's home, because probing does not wrap
 * around.
 *
 * @param depth leading bits that all fingerprints of the segment share
 * @param pages of {@link PagePool#ENTRIES} places each
 * @param overflow places after the last home
 */
record IndexShape(int depth, int pages, int overflow) {
  /**
   * Overflow for random fingerprints: they fill it once in millions of inserts. More is needed only
   * if a great many keys share one fingerprint.
   */
  static final int MIN_OVERFLOW = 64;

  private static final long FINGERPRINT_MASK = (1L << IndexEntry.FINGERPRINT_BITS) - 1;

  int capacity() {
    return pages << PagePool.ENTRIES_BITS;
  }

  /** The first place that an entry may have. */
  int home(long entry) {
    // stripe and slot must not matter, because a look-up does not know them
    long within = ((long) IndexEntry.fingerprint(entry) << depth) & FINGERPRINT_MASK;
    return (int) ((within * (capacity() - overflow)) >>> IndexEntry.FINGERPRINT_BITS);
  }
}

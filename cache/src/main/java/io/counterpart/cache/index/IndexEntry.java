package io.counterpart.cache.index;

/**
 * The layout of an 8-byte entry, from the top: fingerprint (29 bits), stripe + 1 (28), slot (7).
 * Adding one to the stripe keeps 0 free for an empty place. Entries are ordered as unsigned
 * numbers, that is by fingerprint first.
 */
final class IndexEntry {
  static final int FINGERPRINT_BITS = 29;
  static final int SLOT_BITS = 7;
  static final int MAX_STRIPE = (1 << 28) - 2;
  static final int MAX_SLOT = (1 << SLOT_BITS) - 1;
  static final long EMPTY = 0;

  private static final int PLACE_BITS = Long.SIZE - FINGERPRINT_BITS;
  private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;
  private static final long ONE_STRIPE = 1L << SLOT_BITS;

  private IndexEntry() {}

  static long of(int fingerprint, int stripe, int slot) {
    if (stripe < 0 || stripe > MAX_STRIPE) {
      throw new IllegalArgumentException("stripe " + stripe + ", legal: 0 to " + MAX_STRIPE);
    }
    if (slot < 0 || slot > MAX_SLOT) {
      throw new IllegalArgumentException("slot " + slot + ", legal: 0 to " + MAX_SLOT);
    }
    return (long) fingerprint << PLACE_BITS | (stripe + 1L) << SLOT_BITS | slot;
  }

  static int fingerprint(long entry) {
    return (int) (entry >>> PLACE_BITS);
  }

  /** Stripe and slot in one number, 0 and above. */
  static long place(long entry) {
    return (entry & PLACE_MASK) - ONE_STRIPE;
  }
}

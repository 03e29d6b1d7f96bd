package io.counterpart.cache.coded;

/**
 * The lengths that journal items have: powers of two, from 512 bytes on, less what memcached keeps
 * beside a value. What entries leave free is zeros, at which reading ends.
 *
 * <p>memcached gives each class of item sizes a page of 1 MiB at least, and never takes the last
 * one back. Items of any length would have a page in each of its 40 classes, 40 MiB of a server; so
 * they have one in 8, and are a third longer on average than their entries.
 */
final class JournalItemSizes {
  private static final int FIRST_POWER = 9;
  private static final int LAST_POWER = 20;
  private static final int BESIDE_BYTES = 96;

  private JournalItemSizes() {}

  /** Length of an item for entries of so many bytes. */
  static int padded(int entryBytes) {
    for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
      if (entryBytes <= (1 << power) - BESIDE_BYTES) {
        return (1 << power) - BESIDE_BYTES;
      }
    }
    return entryBytes;
  }

  /** Whether items are kept in chunks of so many bytes. */
  static boolean isOfClass(int chunkBytes) {
    int power = Integer.highestOneBit(chunkBytes);
    return power >= 1 << FIRST_POWER && chunkBytes < power + power / 4;
  }
}

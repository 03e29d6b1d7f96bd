package io.counterpart.cache.coded;

/**
 * The lengths of journal items: powers of two from 512 bytes on, less memcached's overhead for a
 * value. Zeros fill an item after its entries and mark their end.
 *
 * <p>memcached gives each slab class at least one page of 1 MiB and never takes back the last one.
 * Items of arbitrary length would claim a page in each of 40 classes, 40 MiB of a server. These
 * lengths need 8 classes; the price is items that are on average a third longer than their entries.
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

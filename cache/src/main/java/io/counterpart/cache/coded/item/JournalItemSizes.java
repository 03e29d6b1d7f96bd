package io.counterpart.cache.coded.item;

import java.util.function.LongUnaryOperator;

/**
 * The lengths of journal items: powers of two from 512 bytes on, less memcached's overhead for a
 * value. Zeros fill an item after its entries and mark their end.
 *
 * <p>memcached gives each class of item sizes at least one page of 1 MiB, and never takes back the
 * last one. Items of any length would have a page in each of its 40 classes, 40 MiB of a server.
 * With these lengths they use 8 classes, and are on average a third longer than their entries.
 *
 * <p>An item may have any larger length too. So it finds room in another class when its own has no
 * free chunk.
 */
public final class JournalItemSizes {
  private static final int FIRST_POWER = 9;
  private static final int USUAL_POWER = 16;
  private static final int LAST_POWER = 20;
  private static final int BESIDE_BYTES = 96;

  /** Bound on a length that is chosen to save a page, in multiples of the item's own. */
  private static final int MOST_TIMES_LONGER = 4;

  private JournalItemSizes() {}

  /** Length of an item for this number of entry bytes. */
  public static int padded(int entryBytes) {
    for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
      if (entryBytes <= (1 << power) - BESIDE_BYTES) {
        return (1 << power) - BESIDE_BYTES;
      }
    }
    return entryBytes;
  }

  /**
   * Length of an item for this number of entry bytes on a server: its own, if its class has a free
   * chunk or there are pages beyond the reserve; else one up to four times as long whose class has
   * chunks to spare; then its own from the reserve; then any.
   *
   * @param reserve see {@link SlabRoom#admits}
   */
  public static int padded(int entryBytes, SlabRoom room, LongUnaryOperator reserve) {
    int own = padded(entryBytes);
    if (room.hasChunk(itemBytes(own)) || room.sparePages(reserve) > 0) {
      return own;
    }
    int longer = longerWithRoom(own, room);
    boolean isLittleLonger = longer <= MOST_TIMES_LONGER * (own + BESIDE_BYTES);
    return longer > own && (isLittleLonger || room.pages() <= 0) ? longer : own;
  }

  /** Whether a server has memory for an item of these entry bytes, without a page of a class. */
  static boolean fits(int entryBytes, SlabRoom room) {
    return room.hasChunk(itemBytes(padded(entryBytes))) || room.hasPoolPage();
  }

  /** Whether a server may have memory for an item of these entry bytes, of any length. */
  static boolean mayHold(int entryBytes, SlabRoom room) {
    int own = padded(entryBytes);
    return room.mayHold(itemBytes(own)) || longerWithRoom(own, room) > own;
  }

  /** The next length whose class has chunks to spare; the item's own if none has. */
  private static int longerWithRoom(int own, SlabRoom room) {
    for (int length = 2 * (own + BESIDE_BYTES) - BESIDE_BYTES;
        length <= (1 << LAST_POWER) - BESIDE_BYTES;
        length = 2 * (length + BESIDE_BYTES) - BESIDE_BYTES) {
      if (room.hasSurplus(itemBytes(length))) {
        return length;
      }
    }
    return own;
  }

  /** Bytes of the server's memory for an item of this length. */
  static long itemBytes(int length) {
    return SlabSizes.itemBytes(OwnKeys.JOURNAL_KEY_BYTES, length);
  }

  /** Whether journal items use chunks of this size, apart from items with a large record. */
  static boolean isOfClass(int chunkBytes) {
    int power = Integer.highestOneBit(chunkBytes);
    return power >= 1 << FIRST_POWER && power <= 1 << USUAL_POWER && chunkBytes < power + power / 4;
  }
}

package io.counterpart.cache.coded.item;

import java.util.function.LongUnaryOperator;

/**
 * The room in a server's memory, by memcached's classes: the last {@code stats slabs}, less the
 * items sent since.
 *
 * <p>A page belongs to one class; its free chunks are of no use to others. So memory is not one
 * number. With {@code free(c)} chunks free in class c, and {@code pages} without a class, or that
 * classes can spare, inserts keep to
 *
 * <pre>
 * pages ≥ reserve + number of classes c in use with free(c) &lt; kept(c)
 * </pre>
 *
 * The kept chunks are for updates: memcached has both copies of an item while it is replaced. A
 * class with fewer free chunks is owed a page. The reserve is for journals, in whole pages, because
 * nobody knows which of their sizes comes next. Example: a page has 48 chunks of 21,696 bytes, of
 * which 6 are kept. An insert may take the seventh free one whatever other classes have; to take
 * the sixth, there must be a page for this class beside those for others and the reserve.
 *
 * <p>The first page of a class is always there: memcached gives it beyond its limit if need be.
 *
 * <p>Belongs to the shard's event loop.
 */
public final class SlabRoom {
  private static final int MOST_KEPT = 32;
  private static final int KEPT_SHARE = 8;

  private final SlabSizes sizes;
  private final int[] chunksPerPage;
  private final long[] free;

  /** Free chunks of each class, less those that are owed to refused items; may be negative. */
  private final long[] unused;

  private final boolean[] isUsed;
  private final long poolPages;

  /** {@link #pages} at the last report. */
  private final long pagesThen;

  private long pages;

  /**
   * @param known the server's classes
   * @param use its last report
   * @param limitBytes its {@code -m}
   */
  SlabRoom(SlabSizes known, SlabUse use, long limitBytes) {
    this.sizes = known.orThoseOf(use);
    this.chunksPerPage = new int[sizes.count()];
    this.free = new long[sizes.count()];
    this.unused = new long[sizes.count()];
    this.isUsed = new boolean[sizes.count()];
    for (int of = 0; of < sizes.count(); of++) {
      chunksPerPage[of] = (int) (SlabUse.PAGE_BYTES / sizes.chunkBytes(of));
    }
    this.poolPages = use.poolPages(limitBytes);
    this.pages = poolPages;
    for (SlabUse.SlabClass told : use.classes().values()) {
      int of = sizes.of(told.chunkBytes());
      isUsed[of] = true;
      unused[of] = told.freeChunks();
      pages += told.sparePages();
      free[of] = told.freeChunks() - (long) told.sparePages() * told.chunksPerPage();
    }
    this.pagesThen = pages;
  }

  /**
   * Whether an item may be inserted.
   *
   * @param reserve pages to leave alone, by the free bytes in classes of journal items
   */
  boolean admits(long itemBytes, LongUnaryOperator reserve) {
    int of = sizes.of(itemBytes);
    if (isFirstPageBeyondLimit(of)) {
      return true;
    }
    boolean isJournal = JournalItemSizes.isOfClass(sizes.chunkBytes(of));
    int left = isJournal ? chunksPerPage[of] / 2 : kept(of);
    if (free[of] - sizes.chunks(itemBytes) >= left) {
      return true;
    }
    long pagesBefore = pages;
    long freeBefore = free[of];
    boolean wasUsed = isUsed[of];
    take(itemBytes);
    boolean isLeft = sparePages(reserve) >= 0;
    pages = pagesBefore;
    free[of] = freeBefore;
    isUsed[of] = wasUsed;
    return isLeft;
  }

  /**
   * Whether an item may replace a longer one, whose chunk is free then: if one chunk remains, or
   * the reserved pages do, whatever other classes are owed.
   */
  boolean admitsShorter(long itemBytes, LongUnaryOperator reserve) {
    boolean isChunkLeft = free[sizes.of(itemBytes)] > sizes.chunks(itemBytes);
    return isChunkLeft || pages - 1 >= reserve.applyAsLong(freeJournalBytes());
  }

  /** Whether an item may replace one of another length in its slot; it may use the reserve. */
  boolean admitsUpdate(long itemBytes) {
    boolean isBeyondLimit = isFirstPageBeyondLimit(sizes.of(itemBytes));
    return isBeyondLimit || admitsShorter(itemBytes, freeJournalBytes -> 0);
  }

  /** Pages that inserts may take; negative if updates are short of some. */
  long sparePages(LongUnaryOperator reserve) {
    long owed = 0;
    for (int of = 0; of < free.length; of++) {
      owed += isUsed[of] && free[of] < kept(of) ? 1 : 0;
    }
    return pages - owed - reserve.applyAsLong(freeJournalBytes());
  }

  /** Pages without a class, or that classes can spare. */
  long pages() {
    return pages;
  }

  private long freeJournalBytes() {
    long bytes = 0;
    for (int of = 0; of < free.length; of++) {
      if (JournalItemSizes.isOfClass(sizes.chunkBytes(of))) {
        bytes += Math.max(0, free[of] - kept(of)) * sizes.chunkBytes(of);
      }
    }
    return bytes;
  }

  /** Whether an item's class has chunks beyond the kept ones. */
  boolean hasSurplus(long itemBytes) {
    int of = sizes.of(itemBytes);
    return free[of] - sizes.chunks(itemBytes) >= kept(of);
  }

  /** Whether the server may have memory for an item at once, without a page of another class. */
  boolean mayHold(long itemBytes) {
    int of = sizes.of(itemBytes);
    return poolPages > 0 || !isUsed[of] || unused[of] >= sizes.chunks(itemBytes);
  }

  /** Whether a page without a class is left, which the server gives to any class that needs one. */
  boolean hasPoolPage() {
    return poolPages - (pagesThen - pages) > 0;
  }

  /** Whether an item's class has a free chunk. */
  boolean hasChunk(long itemBytes) {
    return free[sizes.of(itemBytes)] >= sizes.chunks(itemBytes);
  }

  /** Whether an item fits into the chunks of the one that it replaces. */
  boolean isAlike(long itemBytes, long otherBytes) {
    return sizes.of(itemBytes) == sizes.of(otherBytes)
        && sizes.chunks(itemBytes) <= sizes.chunks(otherBytes);
  }

  /** Notes a written item: it takes a free chunk of its class, or a page. */
  void take(long itemBytes) {
    int of = sizes.of(itemBytes);
    if (isFirstPageBeyondLimit(of)) {
      pages++;
    }
    isUsed[of] = true;
    free[of] -= sizes.chunks(itemBytes);
    while (free[of] < 0) {
      pages--;
      free[of] += Math.max(1, chunksPerPage[of]);
    }
  }

  /** Notes an item that will take a free chunk of its class. */
  void owe(long itemBytes) {
    int of = sizes.of(itemBytes);
    unused[of] -= sizes.chunks(itemBytes);
  }

  private boolean isFirstPageBeyondLimit(int slabClass) {
    return !isUsed[slabClass] && pages <= 0;
  }

  /** Notes a deleted item: its chunk stays with its class. */
  void give(long itemBytes) {
    int of = sizes.of(itemBytes);
    unused[of] += sizes.chunks(itemBytes);
    free[of] += sizes.chunks(itemBytes);
  }

  private int kept(int slabClass) {
    return Math.max(1, Math.min(MOST_KEPT, chunksPerPage[slabClass] / KEPT_SHARE));
  }
}

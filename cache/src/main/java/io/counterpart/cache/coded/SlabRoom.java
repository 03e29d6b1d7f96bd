package io.counterpart.cache.coded;

import java.util.function.LongUnaryOperator;

/**
 * What a server's memory has room for, by memcached's classes: what {@code stats slabs} told last,
 * with what was sent since taken away.
 *
 * <p>A page belongs to one class; what is free in it is of no use to others. So memory is not one
 * number: with {@code free(c)} chunks free in class c, and {@code pages} without a class, or that
 * classes can spare, inserts keep to
 *
 * <pre>
 * pages ≥ reserve + number of classes c in use with free(c) &lt; kept(c)
 * </pre>
 *
 * The kept chunks are for updates: memcached has both copies of an item while it is replaced. A
 * class that has fewer of them is owed a page. The reserve is the journals', in whole pages, since
 * nobody knows which of their sizes comes next. Example: a page has 48 chunks of 21,696 bytes, of
 * which 6 are kept. An insert may take the seventh free one whatever other classes have; to take
 * the sixth, there must be a page for this class beside those for others and the reserve.
 *
 * <p>The first page of a class is always there: memcached gives it beyond its limit if need be.
 *
 * <p>Belongs to the shard's event loop.
 */
final class SlabRoom {
  private static final int MOST_KEPT = 32;
  private static final int KEPT_SHARE = 8;

  private final SlabSizes sizes;
  private final int[] chunksPerPage;
  private final long[] free;
  private final boolean[] isUsed;
  private long pages;

  /**
   * @param known what classes the server has
   * @param use what it has told
   * @param limitBytes its {@code -m}
   */
  SlabRoom(SlabSizes known, SlabUse use, long limitBytes) {
    this.sizes = known.orThoseOf(use);
    this.chunksPerPage = new int[sizes.count()];
    this.free = new long[sizes.count()];
    this.isUsed = new boolean[sizes.count()];
    for (int of = 0; of < sizes.count(); of++) {
      chunksPerPage[of] = (int) (SlabUse.PAGE_BYTES / sizes.chunkBytes(of));
    }
    this.pages = use.poolPages(limitBytes);
    for (SlabUse.SlabClass told : use.classes().values()) {
      int of = sizes.of(told.chunkBytes());
      isUsed[of] = true;
      pages += told.sparePages();
      free[of] = told.freeChunks() - (long) told.sparePages() * told.chunksPerPage();
    }
  }

  /**
   * Whether an item may be inserted.
   *
   * @param reserve pages to leave alone, by bytes that are free in classes of journal items
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
   * Whether an item may replace a longer one, whose chunk is free then: one chunk is left, or as
   * many pages as are to be left alone, whatever other classes are owed.
   */
  boolean admitsShorter(long itemBytes, LongUnaryOperator reserve) {
    boolean isChunkLeft = free[sizes.of(itemBytes)] > sizes.chunks(itemBytes);
    return isChunkLeft || pages - 1 >= reserve.applyAsLong(freeJournalBytes());
  }

  /** Whether an item may replace one of another length in its slot: the reserve is there for it. */
  boolean admitsUpdate(long itemBytes) {
    boolean isBeyondLimit = isFirstPageBeyondLimit(sizes.of(itemBytes));
    return isBeyondLimit || admitsShorter(itemBytes, freeJournalBytes -> 0);
  }

  /** Pages that inserts may take; less than none if updates are short of some. */
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

  /** Whether an item's class has chunks beside those that are kept. */
  boolean hasSurplus(long itemBytes) {
    int of = sizes.of(itemBytes);
    return free[of] - sizes.chunks(itemBytes) >= kept(of);
  }

  /** Whether an item's class has a chunk. */
  boolean hasChunk(long itemBytes) {
    return free[sizes.of(itemBytes)] >= sizes.chunks(itemBytes);
  }

  /** Whether an item takes the chunks of another one that it replaces. */
  boolean isAlike(long itemBytes, long otherBytes) {
    return sizes.of(itemBytes) == sizes.of(otherBytes)
        && sizes.chunks(itemBytes) <= sizes.chunks(otherBytes);
  }

  /** An item is written: it takes a free chunk of its class, or a page. */
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

  private boolean isFirstPageBeyondLimit(int slabClass) {
    return !isUsed[slabClass] && pages <= 0;
  }

  /** An item is deleted: its chunk stays with its class. */
  void give(long itemBytes) {
    free[sizes.of(itemBytes)] += sizes.chunks(itemBytes);
  }

  private int kept(int slabClass) {
    return Math.max(1, Math.min(MOST_KEPT, chunksPerPage[slabClass] / KEPT_SHARE));
  }
}

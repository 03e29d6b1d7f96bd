package io.counterpart.cache.coded.item;

/**
 * The division of a server's memory. Inserts do not touch the reserve. Updates draw on it for their
 * journal entries, for the new copy of an item while memcached still holds the old one, and for the
 * parity of open stripes.
 *
 * <p>With 1 GiB and journals of 48 MiB in three copies: folding begins at 16 MiB of journals on the
 * server, writes wait at 32 MiB, and inserts leave 42 MiB. With 64 MiB: 2, 4 and 7 MiB.
 *
 * @param foldBytes bytes of journals on the server above which they are folded
 * @param waitBytes bytes of journals on the server above which writes wait for folding
 * @param reserveBytes bytes of memory that inserts leave free
 */
record MemoryBounds(long foldBytes, long waitBytes, long reserveBytes) {
  private static final int FOLD_SHARE = 32;
  private static final int LARGEST_RESERVE_SHARE = 4;

  /** Pages of the reserve that shrinking objects may take, because they leave more than that. */
  static final int SHRINKING_PAGES = 2;

  /** Bytes for the partly filled pages of item copies and of journal items of several sizes. */
  private static final long PARTLY_FILLED_BYTES = SHRINKING_PAGES * SlabUse.PAGE_BYTES;

  /**
   * Pages that inserts do not touch: those that journals may still take, and two. None on a server
   * of up to 12 MiB: there the first page of each class of journal items, which memcached allocates
   * beyond its limit, has room for all journals.
   *
   * @param journalBytes of journals on the server
   * @param freeJournalBytes room for further journal items; half of it counts, because items of one
   *     size may come alone
   */
  long reservePages(long journalBytes, long freeJournalBytes) {
    if (waitBytes + waitBytes / 4 <= SlabUse.PAGE_BYTES) {
      return 0;
    }
    long left = reserveBytes - journalBytes - freeJournalBytes / 2;
    long bytes = Math.max(Math.min(reserveBytes, PARTLY_FILLED_BYTES), left);
    return (bytes + SlabUse.PAGE_BYTES - 1) / SlabUse.PAGE_BYTES;
  }

  /**
   * The bounds of one server.
   *
   * @param limitBytes its {@code -m}
   * @param journalBytes most bytes of journals, one copy
   */
  static MemoryBounds of(long limitBytes, long journalBytes) {
    long fold = Math.min(journalBytes, limitBytes / FOLD_SHARE);
    long wait = 2 * fold;
    long reserve = wait + wait / 4 + PARTLY_FILLED_BYTES;
    return new MemoryBounds(fold, wait, Math.min(reserve, limitBytes / LARGEST_RESERVE_SHARE));
  }
}

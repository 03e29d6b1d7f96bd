package io.counterpart.core.engine;

/**
 * How much of a table's stores a flush takes to sstables. Cassandra ends a node's flushes in their
 * order, and frees a memtable's memory then. So much data goes to sstables apart from flushes, and
 * leaves little for the flush that needs it there.
 */
public final class SpillSize {
  /** Of a store, in a flush: a few seconds of a slow disk, and less than flushes write anyway. */
  public static final long MOST_IN_FLUSH_BYTES = 64L << 20;

  /**
   * What comes during one is the next one's. Where writes come half as fast as a spill goes, three
   * rounds leave an eighth.
   */
  public static final int MOST_ROUNDS = 3;

  private SpillSize() {}

  /**
   * Whether a store goes to sstables apart from flushes.
   *
   * @param usedBytes of its entries
   */
  public static boolean isMuch(long usedBytes) {
    return usedBytes > MOST_IN_FLUSH_BYTES;
  }

  /**
   * Whether a spill apart from flushes takes what has come meanwhile.
   *
   * @param rounds that have ended
   * @param isMuch whether that is much again
   */
  public static boolean goesOn(int rounds, boolean isMuch) {
    return isMuch && rounds < MOST_ROUNDS;
  }
}

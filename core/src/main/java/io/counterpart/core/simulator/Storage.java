package io.counterpart.core.simulator;

/**
 * Sizes and rates that all layouts share.
 *
 * @param memtableBytes bytes of one flush, 64 KiB to 64 GiB
 * @param sstableBytes target size of an sstable, 64 KiB to 64 GiB
 * @param memtables whether each structure has a memtable of its own
 * @param compactionRate bytes that a node can compact while it flushes one, above 0; {@link
 *     #UNLIMITED} when compaction always keeps up
 */
public record Storage(
    long memtableBytes, long sstableBytes, Memtables memtables, double compactionRate) {
  /** Compaction always keeps up with flushes. */
  public static final double UNLIMITED = Double.POSITIVE_INFINITY;

  /** Size ratio of neighbouring levels of leveled compaction, as Cassandra has it. */
  static final int FANOUT = 10;

  private static final long LEAST = 64L << 10;
  private static final long MOST = 64L << 30;

  public Storage {
    Legal.between("memtable", memtableBytes, LEAST, MOST);
    Legal.between("sstable", sstableBytes, LEAST, MOST);
    if (!(compactionRate > 0)) {
      throw new IllegalArgumentException(
          "compactionRate " + compactionRate + ", legal: above 0, or unlimited");
    }
  }

  /** DEPART §5.1: 160 MiB memtables, one for each structure, and 160 MiB sstables. */
  public static Storage ofThePaper() {
    return new Storage(160L << 20, 160L << 20, Memtables.OWN, UNLIMITED);
  }

  /** Who has a memtable. */
  public enum Memtables {
    /** One for each structure, so each flush has the full size (the paper, §5.2). */
    OWN,
    /** One for the table; a flush is cut by structure (the plugin). */
    SHARED
  }
}

package io.counterpart.core.engine.advice;

/**
 * Costs of one operation on one node, on sstables and in a B+tree. They are medians of the
 * published experiment {@code mycassandra-reads} (docs/results/lab/mycassandra-reads.json, arms
 * {@code ucs_t4_rf1} and {@code lmdb_rf1}): rows of 1 KB, two nodes on one small machine, intervals
 * of ± 20 % and more. They are good for an order, not for a forecast, so {@link #LEAST_GAIN} is
 * asked of every change.
 *
 * <p>Break-even points that follow. In time a change to a B+tree gains {@link #LEAST_GAIN} from a
 * share of reads of 41 % on. In disk traffic it does from 9 % on. Back to sstables it does below 5
 * %, even if every read comes from disk. A table between the two bounds stays where it is, which
 * keeps it from going back and forth.
 *
 * <p>The engine {@code memory} and the classes of a heterogeneous cluster have no published figures
 * of their own: they count as B+trees.
 */
final class EngineCosts {
  /** Least share of the cost that a change must save. */
  static final double LEAST_GAIN = 0.10;

  /**
   * Mean time of a local read from which the disk counts as the limit. Reads took 0.04 to 0.13 ms
   * from memory and 0.44 to 0.59 ms from disk; this is about the geometric mean of 0.05 and 0.5.
   */
  static final double DISK_READ_MILLIS = 0.15;

  /** Microseconds of a read from memory: {@code read_local} and its merged phase 63 and 68. */
  private static final double SSTABLE_READ_MICROS = 65;

  /** The same in LMDB: 38 and 42. */
  private static final double TREE_READ_MICROS = 40;

  /**
   * Microseconds of a write with its flush and compaction: CPU of {@code write} 66 and {@code
   * write_merged} 68, and 7 for 1.8 KiB to a disk of 250 MB/s.
   */
  private static final double SSTABLE_WRITE_MICROS = 74;

  /** The same in LMDB: CPU 66, and 13 for 3.1 KiB. */
  private static final double TREE_WRITE_MICROS = 79;

  /** KiB from disk of a cold read: {@code read_cold} and {@code read_cold_merged}. */
  private static final double SSTABLE_READ_KIB = 24.6;

  private static final double TREE_READ_KIB = 5.5;

  /** KiB to disk of a write. */
  private static final double SSTABLE_WRITE_KIB = 1.8;

  private static final double TREE_WRITE_KIB = 3.1;

  private EngineCosts() {}

  /** Cost of reads and writes of nodes on sstables. */
  static double sstables(Limit limit, double reads, double writes) {
    return limit == Limit.TIME
        ? reads * SSTABLE_READ_MICROS + writes * SSTABLE_WRITE_MICROS
        : reads * SSTABLE_READ_KIB + writes * SSTABLE_WRITE_KIB;
  }

  /** Cost of reads and writes of nodes in a B+tree. */
  static double tree(Limit limit, double reads, double writes) {
    return limit == Limit.TIME
        ? reads * TREE_READ_MICROS + writes * TREE_WRITE_MICROS
        : reads * TREE_READ_KIB + writes * TREE_WRITE_KIB;
  }

  /** Share of a table's cost that a B+tree saves, negative where it costs more. */
  static double gainOfTree(Limit limit, Load load) {
    return gain(
        sstables(limit, load.reads(), load.writes()), tree(limit, load.reads(), load.writes()));
  }

  /** Share of a tree's disk traffic that sstables save if every read comes from disk. */
  static double gainOfSstables(Load load) {
    return gain(
        tree(Limit.DISK, load.reads(), load.writes()),
        sstables(Limit.DISK, load.reads(), load.writes()));
  }

  /** {@code 26 % less time of nodes}, or more of it: whole percent, towards 0. */
  static String text(double gain, Limit limit) {
    // so that 0.32, computed, is 32
    int percent = (int) (Math.abs(100 * gain) + 1e-6);
    return "%d %% %s %s".formatted(percent, gain < 0 ? "more" : "less", limit);
  }

  /** What a change has to save, for a reason. */
  static String asked() {
    return "%.0f %% less are asked".formatted(100 * LEAST_GAIN);
  }

  /** Share of a cost that another one saves; 0 of no cost. */
  static double gain(double from, double to) {
    return from == 0 ? 0 : 1 - to / from;
  }
}

package io.counterpart.core.simulator;

/**
 * The formats of sstables by role: the table's, which primary copies and all flushes have, and that
 * of the runs of redundant copies.
 *
 * <p>A Bloom filter has {@code −ln(chance) ÷ ln(2)²} bits a key: 9.6 for 0.01, 4.8 for 0.1.
 *
 * @param tableRatio compressed bytes by uncompressed ones, above 0 to 2
 * @param redundantRatio the same of runs
 * @param filterChance chance of a false positive, above 0 to 1; at 1 no sstable has a filter
 * @param redundantFilterChance the same of runs
 */
public record Formats(
    double tableRatio, double redundantRatio, double filterChance, double redundantFilterChance) {
  /** Nothing is compressed, and filters have Cassandra's default chance. */
  public static final Formats UNCOMPRESSED = new Formats(1, 1, 0.01, 0.01);

  private static final double MOST_RATIO = 2;

  public Formats {
    Legal.aboveZero("tableRatio", tableRatio, MOST_RATIO);
    Legal.aboveZero("redundantRatio", redundantRatio, MOST_RATIO);
    Legal.aboveZero("filterChance", filterChance, 1);
    Legal.aboveZero("redundantFilterChance", redundantFilterChance, 1);
  }

  /** Bytes of a filter for one key of an sstable in the table's format. */
  double filterBytesPerKey() {
    return filterBytes(filterChance);
  }

  /** The same of a run; none where the table has no filters. */
  double redundantFilterBytesPerKey() {
    return filterChance >= 1 ? 0 : filterBytes(redundantFilterChance);
  }

  private static double filterBytes(double chance) {
    // 0 - x, because minus log(1) would be minus zero
    return (0 - Math.log(chance)) / (Math.log(2) * Math.log(2)) / Byte.SIZE;
  }
}

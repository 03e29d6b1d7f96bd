package io.counterpart.core.plan;

/**
 * Decides whether a table is small enough for an undivided log: every flush writes one file with
 * copies of both kinds, and files of similar size merge as in a tiered tree ({@link UndividedLog}).
 *
 * <p>Dividing a table of D bytes over g range groups makes g files of D/g bytes at least. That pays
 * once each is worth a file of its own, so a table is divided when it reaches
 *
 * <pre>T = g · minRunBytes, at most maxLogBytes</pre>
 *
 * and counts as small again below T/4. Between the two bounds the layout stays as it is: the form
 * of most of its bytes decides, so no state is stored. A log with as many files as a read may look
 * at must be rewritten anyway, so from T/2 on it is divided: a merge would be rewritten again at T.
 * Worked: 48 groups and 3 MiB give T = 144 MiB; a full log is divided from 72 MiB on, and a divided
 * table is small again below 36 MiB.
 *
 * <p>Beyond the paper, whose tables are all large.
 *
 * @param minRunBytes smallest file that is worth a group of its own; 0 divides every table
 * @param maxLogBytes largest undivided table, since its log may end as one sstable; positive
 */
public record SmallTable(long minRunBytes, long maxLogBytes) {
  private static final int HYSTERESIS = 4;
  private static final int FULL_LOG = 2;

  public SmallTable {
    if (minRunBytes < 0) {
      throw new IllegalArgumentException("minRunBytes " + minRunBytes + ", legal: 0 and above");
    }
    if (maxLogBytes < 1) {
      throw new IllegalArgumentException("maxLogBytes " + maxLogBytes + ", legal: 1 and above");
    }
  }

  /** Every table is divided, however small. */
  public static SmallTable never() {
    return new SmallTable(0, Long.MAX_VALUE);
  }

  /**
   * Decides for one table.
   *
   * @param tableBytes of the whole table on this node, with what is about to be flushed
   * @param log bytes of the files at hand
   * @param ownedGroups range groups of the node
   */
  public boolean isUndivided(long tableBytes, LogBytes log, int ownedGroups) {
    long dividedFrom = dividedFromBytes(ownedGroups);
    return tableBytes < dividedFrom / HYSTERESIS
        || (tableBytes < dividedFrom && log.divided() <= log.undivided());
  }

  /**
   * Whether an undivided log with as many files as there may be is divided instead of merged.
   *
   * @param wideBytes of its files that would be cut
   */
  boolean isFullLogDivided(long wideBytes, int ownedGroups) {
    return wideBytes >= dividedFromBytes(ownedGroups) / FULL_LOG;
  }

  private long dividedFromBytes(int ownedGroups) {
    return minRunBytes > maxLogBytes / Math.max(1, ownedGroups)
        ? maxLogBytes
        : minRunBytes * ownedGroups;
  }
}

package io.counterpart.cassandra.writer;

import io.counterpart.cassandra.options.SplitTime;

/**
 * Decides whether a flush writes its redundant copies as runs, one a group, instead of a segment.
 *
 * <p>Goes beyond the paper, whose flushes always write to the global log (DEPART §4.3).
 *
 * @param splitTime the table's option
 * @param minRunBytes least size of a run in {@link SplitTime#AUTO}, in bytes; 0 for never
 * @param mostOpen runs that may be written at once
 */
record RunsAtFlush(SplitTime splitTime, long minRunBytes, int mostOpen) {

  /**
   * The decision for one flush.
   *
   * @param redundantBytes what it is expected to write of redundant copies, in bytes
   * @param groups groups that it writes to
   */
  boolean writesRuns(double redundantBytes, int groups) {
    return groups <= mostOpen
        && switch (splitTime) {
          case FLUSH -> true;
          case BACKGROUND -> false;
          case AUTO ->
              minRunBytes > 0 && redundantBytes >= (double) minRunBytes * Math.max(1, groups);
        };
  }

  /** Whether the table asks for runs and does not get them. */
  boolean refuses(int groups) {
    return splitTime == SplitTime.FLUSH && groups > mostOpen;
  }
}

package io.counterpart.core.runs;

import java.util.List;

/**
 * Chooses the sorted runs of a range group to merge. The single parameter S (here {@code maxRuns})
 * sets the degree of ordering: S = 1 keeps a group fully sorted, an unlimited S never merges.
 *
 * <p>Paper: DEPART §4.4.
 */
public sealed interface RunPolicy permits MergeAll, Tiered {

  /** A limit that is never reached: runs are only appended. */
  int UNLIMITED = Integer.MAX_VALUE;

  /** S: how many overlapping runs a group may keep; ≥ 1. */
  int maxRuns();

  /**
   * Decides for one group.
   *
   * @param runBytes size in bytes of each run, any order
   * @return indexes into {@code runBytes} of the runs to merge into one; empty where nothing is due
   */
  List<Integer> pick(List<Long> runBytes);

  /** The same policy with another S. */
  RunPolicy withMaxRuns(int maxRuns);

  static void checkMaxRuns(int maxRuns) {
    if (maxRuns < 1) {
      throw new IllegalArgumentException("runs " + maxRuns + ", legal: 1 and above");
    }
  }
}

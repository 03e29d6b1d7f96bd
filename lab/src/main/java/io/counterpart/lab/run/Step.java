package io.counterpart.lab.run;

import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;

/** What an experiment does next, to all its arms in turn. */
public sealed interface Step {
  /**
   * Inserts all rows, in slices: table after table, slice by slice.
   *
   * @param slices blocks of each table, at least 1
   */
  record Load(int slices) implements Step {}

  /** Flushes and waits until no table has anything left to compact. */
  record Drain() implements Step {}

  /**
   * Runs an operation mix: arm after arm, again and again.
   *
   * @param phase name in the result
   * @param mix operations
   * @param levels consistency levels
   * @param operations of one block
   * @param repeats blocks of each arm, at least 1
   */
  record Blocks(
      String phase, OperationMix mix, ConsistencyLevels levels, int operations, int repeats)
      implements Step {}
}

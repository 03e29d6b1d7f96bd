package io.counterpart.lab.run;

import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;

/** What an experiment does next, to all its arms in turn. */
public sealed interface Step {
  /**
   * Inserts rows behind those that are there, in slices: table after table, slice by slice.
   *
   * @param phase name in the result
   * @param rows of each table, at least 1
   * @param slices blocks of each table, at least 1
   */
  record Load(String phase, int rows, int slices) implements Step {}

  /** From here on the servers' time is taken apart, block by block. */
  record Profile() implements Step {}

  /**
   * Flushes and waits until no table has anything left to compact.
   *
   * @param phase name in the result
   */
  record Drain(String phase) implements Step {}

  /**
   * Runs an operation mix: arm after arm, again and again. Each block begins when the block before
   * has left no compaction running.
   *
   * @param phase name in the result
   * @param mix operations
   * @param levels consistency levels
   * @param operations of one block
   * @param warmUps blocks of each arm that are run first and not measured
   * @param repeats blocks of each arm, at least 1
   * @param regime how scarce cache and disk are
   */
  record Blocks(
      String phase,
      OperationMix mix,
      ConsistencyLevels levels,
      int operations,
      int warmUps,
      int repeats,
      Regime regime)
      implements Step {}
}

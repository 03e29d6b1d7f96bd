package io.counterpart.core.plan;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.RunPolicy;
import java.util.function.IntFunction;

/**
 * The options of a table that affect its plan.
 *
 * @param split the trigger of the split
 * @param primaryBatch the trigger of the primary batch
 * @param runs the merge policy of each group
 * @param small the bound below which the table stays undivided
 * @param tombstoneThreshold share of droppable tombstones above which a rewrite pays, 0 to 1
 */
public record PlanOptions(
    BatchPolicy split,
    BatchPolicy primaryBatch,
    IntFunction<RunPolicy> runs,
    SmallTable small,
    double tombstoneThreshold) {

  /** These options for a table that is divided, however small. */
  PlanOptions divided() {
    return new PlanOptions(split, primaryBatch, runs, SmallTable.never(), tombstoneThreshold);
  }
}

package io.counterpart.core.plan;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.RunPolicy;
import java.util.function.IntFunction;

/**
 * The options of a table that affect its plan.
 *
 * @param split when segments are split
 * @param primaryBatch when wide primary files are cut and enter the primary tree
 * @param runs which runs of a group merge, by group
 * @param small when the table is too small to be divided
 * @param tombstoneThreshold share of droppable tombstones above which a rewrite pays, 0 to 1
 */
public record PlanOptions(
    BatchPolicy split,
    BatchPolicy primaryBatch,
    IntFunction<RunPolicy> runs,
    SmallTable small,
    double tombstoneThreshold) {}

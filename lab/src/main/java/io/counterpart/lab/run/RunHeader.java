package io.counterpart.lab.run;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Series;
import java.util.List;
import java.util.function.Function;

/**
 * The description of a run in its result, without measurements.
 *
 * @param experiment its stable name
 * @param paper where the paper has it
 * @param title what it shows
 * @param scale smoke, small or full
 * @param seed repeats keys, values, their order, and the resampling of figures
 * @param blocks that a whole run measures
 * @param aims figures of merit
 * @param curves drawn of the blocks
 */
public record RunHeader(
    String experiment,
    String paper,
    String title,
    String scale,
    long seed,
    int blocks,
    List<Aim> aims,
    Function<List<BlockResult>, List<Series>> curves) {
  /** Keeps the aims. */
  public RunHeader {
    aims = List.copyOf(aims);
  }

  static RunHeader of(LabPlan plan) {
    Experiment experiment = plan.experiment();
    return new RunHeader(
        experiment.name(),
        experiment.paper(),
        experiment.title(),
        plan.scale(),
        plan.seed(),
        experiment.blocks(),
        experiment.aims(),
        blocks -> experiment.curves().of(blocks, plan.client()));
  }
}

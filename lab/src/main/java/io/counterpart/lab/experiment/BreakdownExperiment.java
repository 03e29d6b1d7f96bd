package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The breakdown of writes, reads and updates by time: DEPART §5.2, Experiment 5.
 *
 * <p>The table by replica rank has nodes of its own. It and the decoupled one have two-layer logs
 * both, and only one table can be the last.
 */
final class BreakdownExperiment {
  private BreakdownExperiment() {}

  static Experiment breakdown(LabScale scale) {
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Profile());
    // each table in one go, the decoupled last and drained at once: what it rewrites when it has
    // been quiet for a while would else count for the table that is loaded then
    steps.add(new Step.Load("load", scale.rows(), 1));
    steps.add(new Step.Drain("drain"));
    steps.add(Plans.blocks(scale, "read", OperationMix.READS, Plans.ONE_ONE));
    // as many as an arm's reads; in one go and drained for the same reason as the load
    steps.add(
        new Step.Update(
            "update", scale.operations() * scale.repeats(), Plans.ONE_ONE, Regime.HEADLINE));
    steps.add(new Step.Drain("update_drain"));
    return new Experiment(
        "depart-exp5",
        "DEPART §5.2 Experiment 5, Figure 15",
        "Where the servers' time goes while they load, read and update at (WCL, RCL) = (1, 1)",
        Stream.of(Plans.arms(scale), Plans.withRank(scale, List.of()))
            .filter(arms -> !arms.isEmpty())
            .map(arms -> Plans.stage(scale, arms, steps))
            .toList(),
        List.of());
  }
}

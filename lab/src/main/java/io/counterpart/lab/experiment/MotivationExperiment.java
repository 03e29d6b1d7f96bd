package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Series;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.ClientShape;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of replicas in one tree: stock tables of replication factor 1 to 3 that grow to three
 * times their size, measured; and up to 600 M keys, modelled. DEPART §3.1, Figures 2 and 3.
 *
 * <p>Arms are numbers of copies in that one tree, of one layout. So neither decoupled tables nor
 * those by replica rank are among them: with one copy these have no redundant ones, and {@code
 * depart-exp3} has both by the number of copies.
 */
final class MotivationExperiment {
  static final List<Integer> FACTORS = List.of(1, 2, 3);
  private static final int SIZES = 3;

  private MotivationExperiment() {}

  static Experiment motivation(LabScale scale) {
    List<ExperimentArm> arms = new ArrayList<>();
    for (int factor : FACTORS) {
      LabTable table = new LabTable(Arm.named(Arm.LCS).orElseThrow(), factor);
      arms.add(new ExperimentArm(table, Routing.STOCK));
    }
    List<Step> steps = new ArrayList<>();
    for (int size = 1; size <= SIZES; size++) {
      steps.add(new Step.Load("load_" + size, scale.rows() / 2, scale.slices()));
      steps.add(new Step.Drain("drain_" + size));
      steps.add(Plans.blocks(scale, "read_" + size, OperationMix.READS, Plans.ONE_ONE));
    }
    return new Experiment(
        "depart-motivation",
        "DEPART §3.1, Figures 2 and 3",
        "Write and read amplification of stock tables against replication factor and size",
        List.of(new Stage(LabCluster.NODES, scale.rows() * 2, arms, steps)),
        List.of(),
        MotivationExperiment::curves);
  }

  private static List<Series> curves(List<BlockResult> blocks, ClientShape client) {
    List<Series> curves = new ArrayList<>();
    curves.addAll(new MeasuredAmplification(blocks, FACTORS, SIZES, client.valueBytes()).series());
    curves.addAll(ModelledAmplification.series(FACTORS));
    curves.addAll(PublishedAmplification.series());
    return AmplificationAxes.ordered(curves);
  }
}

package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;

/**
 * Experiments that vary a shape: replication factor, ordering degree, size, number of nodes. DEPART
 * §5.2, Experiments 3, 8, 9 and 10.
 */
final class ShapeExperiments {
  private static final List<String> LCS_AND_DECOUPLED = List.of(Arm.LCS, Arm.DECOUPLED_T4);
  private static final List<String> ORDERING_DEGREES = List.of("1", "10", "20", "unlimited");
  private static final int GROWTH_STEPS = 3;
  private static final int[] NODES = {5, 8, 10};

  private ShapeExperiments() {}

  static Experiment replication(LabScale scale) {
    // six tables of up to five replicas
    int rows = scale.rows() / 2;
    List<ExperimentArm> arms = new ArrayList<>();
    for (int factor = LabCluster.REPLICATION_FACTOR; factor <= LabCluster.NODES; factor++) {
      arms.addAll(arms(scale, factor, rows));
    }
    List<Step> steps = Plans.loaded(scale, rows);
    steps.add(Plans.blocks(scale, "read", OperationMix.READS, Plans.ONE_ONE));
    return new Experiment(
        "depart-exp3",
        "DEPART §5.2 Experiment 3, Figure 13",
        "Writes and reads at replication factors 3, 4 and 5",
        List.of(Plans.stage(scale, arms, steps)),
        List.of());
  }

  private static List<ExperimentArm> arms(LabScale scale, int factor, int rows) {
    return Plans.withRank(scale, Plans.arms(LCS_AND_DECOUPLED, factor, rows), factor, rows);
  }

  /** The table by replica rank has the usual log, as a reference; reads ask two copies. */
  static Experiment ordering(LabScale scale) {
    List<ExperimentArm> arms = new ArrayList<>();
    arms.add(new ExperimentArm(LabTable.of(Arm.named(Arm.LCS).orElseThrow()), Routing.STOCK));
    List<String> byDegree = new ArrayList<>();
    for (String degree : ORDERING_DEGREES) {
      ExperimentArm arm = new ExperimentArm(LabTable.of(Arm.decoupledRuns(degree)), Routing.STOCK);
      arms.add(arm);
      byDegree.add(arm.name());
    }
    List<Step> steps = Plans.loaded(scale, scale.rows());
    steps.add(Plans.blocks(scale, "read", OperationMix.READS, Plans.TWO_TWO));
    return new Experiment(
        "depart-exp8",
        "DEPART §5.2 Experiment 8, Table 1",
        "Writes and reads at (WCL, RCL) = (2, 2) for ordering degrees S = 1, 10, 20 and unlimited",
        List.of(Plans.stage(scale, Plans.withRank(scale, arms), steps)),
        List.of(
            new Aim.Monotone(
                "exp8.monotone", "load", "read", byDegree, "writes 37-78K, reads 42-8K")));
  }

  static Experiment growth(LabScale scale) {
    int rows = scale.rows() / 2;
    List<Step> steps = new ArrayList<>();
    for (int i = 1; i <= GROWTH_STEPS; i++) {
      steps.add(new Step.Load("load_" + i, rows, scale.slices()));
      steps.add(new Step.Drain("drain_" + i));
      steps.add(Plans.blocks(scale, "read_" + i, OperationMix.READS, Plans.ONE_ONE));
    }
    return new Experiment(
        "depart-exp9",
        "DEPART §5.2 Experiment 9, Figure 18",
        "Writes and reads of a store that grows to two and three times its size",
        List.of(Plans.stage(scale, arms(scale, LabCluster.REPLICATION_FACTOR, rows), steps)),
        List.of());
  }

  static Experiment nodes(LabScale scale) {
    int rowsOfFive = scale.rows() / 2;
    List<Stage> stages = new ArrayList<>();
    for (int nodes : NODES) {
      int rows = rowsOfFive * nodes / NODES[0];
      List<Step> steps = new ArrayList<>();
      steps.add(new Step.Load("load_n" + nodes, rows, scale.slices()));
      steps.add(new Step.Drain("drain_n" + nodes));
      steps.add(Plans.blocks(scale, "read_n" + nodes, OperationMix.READS, Plans.ONE_ONE));
      List<ExperimentArm> arms = arms(scale, LabCluster.REPLICATION_FACTOR, rowsOfFive);
      stages.add(new Stage(nodes, rows, arms, steps));
    }
    return new Experiment(
        "depart-exp10",
        "DEPART §5.2 Experiment 10, Figure 19",
        "Writes and reads of 5, 8 and 10 nodes that hold as much each",
        stages,
        List.of());
  }
}

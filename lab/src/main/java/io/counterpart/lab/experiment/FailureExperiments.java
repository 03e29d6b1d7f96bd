package io.counterpart.lab.experiment;

import io.counterpart.lab.failure.RecoveryMethod;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.RecoveryArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;

/** Experiments in which a node fails: DEPART §5.2, Experiments 6 and 7. */
final class FailureExperiments {
  private static final int SIZES = 3;
  private static final int CRASHED = 3;
  private static final String PAPER_S = "20";
  private static final String SMALL_S = "5";

  private FailureExperiments() {}

  /**
   * Recovery of a wiped node. A replacement is no arm: it is one bootstrap of all tables together,
   * and so has no time of one of them. Nor are tables by replica rank: no step reads.
   */
  static Experiment recovery(LabScale scale) {
    LabTable stock = LabTable.of(Arm.named(Arm.LCS).orElseThrow());
    LabTable decoupled = LabTable.of(Plans.arm(Arm.DECOUPLED_T4, scale.rows() / SIZES));
    RecoveryArm repair = new RecoveryArm(stock, RecoveryMethod.REPAIR);
    RecoveryArm recover = new RecoveryArm(decoupled, RecoveryMethod.RECOVER);
    List<RecoveryArm> recoveries =
        List.of(
            repair,
            recover,
            new RecoveryArm(stock, RecoveryMethod.REBUILD),
            new RecoveryArm(decoupled, RecoveryMethod.PAPER));
    int repeats = scale == LabScale.SMOKE ? 1 : 2;
    List<Step> steps = new ArrayList<>();
    List<String> phases = new ArrayList<>();
    for (int size = 1; size <= SIZES; size++) {
      int rows = scale.rows() * size / SIZES - scale.rows() * (size - 1) / SIZES;
      steps.add(new Step.Load("load_" + size, rows, 1));
      steps.add(new Step.Drain("drain_" + size));
      steps.add(new Step.Recover("recover_" + size, recoveries, repeats, Regime.HEADLINE));
      phases.add("recover_" + size);
    }
    List<ExperimentArm> arms =
        List.of(
            new ExperimentArm(stock, Routing.STOCK), new ExperimentArm(decoupled, Routing.STOCK));
    return new Experiment(
        "depart-exp6",
        "DEPART §5.2 Experiment 6, Figure 16",
        "Recovery of a node that has lost all data, at three sizes",
        List.of(Plans.stage(scale, arms, steps)),
        List.of(
            new Aim.Ratio(
                "exp6.recovery_vs_repair",
                phases,
                BlockMeasure.RECOVERY_SECONDS,
                recover.name(),
                repair.name(),
                Bound.atMost(0.25),
                "0.46-0.62"),
            new Aim.Median(
                "exp6.zero_copy_share",
                phases,
                BlockMeasure.WHOLE_SHARE,
                recover.name(),
                Bound.atLeast(0.9),
                "")));
  }

  /**
   * Reads and writes with all nodes up, with one down, and reads while it is repaired.
   *
   * <p>Hints are on, as in the paper (Cassandra's default), so coordinators pay for them while the
   * node is down; they are deleted before it returns, so that the repair brings what it missed.
   * Deviates: the node returns with its data. The paper removes it, but an empty node answers reads
   * at ONE quickly and wrongly. It goes down twice, once for each routing, since a second repair of
   * a table would have nothing to bring; at smoke scale once.
   */
  static Experiment nodeDown(LabScale scale) {
    List<ExperimentArm> arms = new ArrayList<>();
    for (Arm compaction :
        List.of(
            Arm.named(Arm.LCS).orElseThrow(),
            Arm.decoupledRuns(PAPER_S),
            Arm.decoupledRuns(SMALL_S))) {
      for (Routing routing : List.of(Routing.STOCK, Routing.PRIMARY_FIRST)) {
        arms.add(new ExperimentArm(LabTable.of(compaction), routing));
      }
    }
    String decoupled =
        new ExperimentArm(LabTable.of(Arm.decoupledRuns(PAPER_S)), Routing.PRIMARY_FIRST).name();
    List<Step> steps = Plans.loaded(scale, scale.rows());
    steps.add(blocks(scale, "read_up", OperationMix.READS));
    steps.add(new Step.Down(CRASHED));
    steps.add(blocks(scale, "read_down", OperationMix.READS));
    steps.add(blocks(scale, "update_down", OperationMix.UPDATES));
    steps.add(new Step.Up(CRASHED));
    steps.add(repair(scale, "read_repair", Routing.STOCK));
    if (scale != LabScale.SMOKE) {
      // takes a minute and a half, in which smoke would show nothing new
      steps.add(new Step.Down(CRASHED));
      steps.add(blocks(scale, "insert_down", OperationMix.INSERTS));
      steps.add(new Step.Up(CRASHED));
      steps.add(repair(scale, "read_repair_pf", Routing.PRIMARY_FIRST));
    }
    // last, since its backlog would bear on the reads
    steps.add(blocks(scale, "update_up", OperationMix.UPDATES));
    return new Experiment(
        "depart-exp7",
        "DEPART §5.2 Experiment 7, Figure 17",
        "Reads and writes at (WCL, RCL) = (1, 1) with a node down, and reads while it is repaired",
        List.of(Plans.stage(scale, Plans.withRank(scale, arms), steps)),
        List.of(
            new Aim.Throughput(
                "exp7.reads_down_vs_lcs", "read_down", decoupled, Arm.LCS, 1.5, "1.69")));
  }

  private static Step blocks(LabScale scale, String phase, OperationMix mix) {
    return Plans.blocks(scale, phase, mix, Plans.ONE_ONE, Plans.SLOW_DISK);
  }

  private static Step repair(LabScale scale, String phase, Routing routing) {
    return new Step.ReadsUnderRepair(
        phase, CRASHED, routing, Plans.ONE_ONE, scale.operations() * 5, Plans.SLOW_DISK);
  }
}

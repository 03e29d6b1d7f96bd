package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Experiments that compare operations: DEPART §5.2, Experiments 1, 2 and 4. */
final class OperationExperiments {
  // around the headline's point: cache ÷ data at its read rate, read rates at its cache ÷ data
  private static final List<Regime> CURVES =
      List.of(
          new Regime(2 / 3.0, Regime.HEADLINE.readsPerSecond()),
          new Regime(1.5, Regime.HEADLINE.readsPerSecond()),
          Plans.SLOW_DISK,
          new Regime(Regime.HEADLINE.cacheFraction(), 800));

  /** Of the workloads of YCSB those that a second point is measured of. */
  private static final Set<String> CURVE_WORKLOADS = Set.of("ycsb_b", "ycsb_c");

  private OperationExperiments() {}

  static Experiment operations(LabScale scale) {
    List<Step> steps = Plans.loaded(scale, scale.rows());
    steps.add(Plans.blocks(scale, "read", OperationMix.READS, Plans.ONE_ONE));
    steps.add(Plans.blocks(scale, "scan", OperationMix.SCANS, Plans.ONE_ONE));
    CURVES.forEach(regime -> steps.add(curvePoint(scale, "read", OperationMix.READS, regime)));
    // what follows writes: its backlog shall not bear on the reads
    steps.add(Plans.blocks(scale, "update", OperationMix.UPDATES, Plans.ONE_ONE));
    steps.add(Plans.fewBlocks(scale, "update_31", OperationMix.UPDATES, Plans.ALL_ONE));
    steps.add(Plans.fewBlocks(scale, "insert", OperationMix.INSERTS, Plans.ONE_ONE));
    steps.add(Plans.fewBlocks(scale, "insert_31", OperationMix.INSERTS, Plans.ALL_ONE));
    steps.add(new Step.Drain("last_drain"));
    return new Experiment(
        "depart-exp1",
        "DEPART §5.2 Experiment 1, Figures 10 and 11",
        "Reads and scans at RCL 1, updates and inserts at (WCL, RCL) = (1, 1) and (3, 1)",
        List.of(Plans.stage(scale, Plans.withRank(scale, Plans.arms(scale)), steps)),
        List.of(
            new Aim.Throughput("exp1.reads_vs_lcs", "read", Plans.DECOUPLED, Arm.LCS, 2.5, "2.43"),
            new Aim.Throughput(
                "exp1.reads_vs_ucs_t4", "read", Plans.DECOUPLED, Arm.UCS_T4, 1.5, ""),
            new Aim.Throughput("exp1.scans_vs_lcs", "scan", Plans.DECOUPLED, Arm.LCS, 2.0, "2.68"),
            new Aim.Throughput(
                "exp1.updates_vs_lcs", "update", Plans.DECOUPLED, Arm.LCS, 1.5, "1.44")));
  }

  /** Half as many operations and repeats: a curve is seen as a whole. */
  private static Step curvePoint(
      LabScale scale, String operations, OperationMix mix, Regime regime) {
    String phase =
        String.format(
            Locale.ROOT,
            "%s_c%.2f_r%d",
            operations,
            regime.cacheFraction(),
            regime.readsPerSecond());
    return new Step.Blocks(
        phase,
        mix,
        Plans.ONE_ONE,
        scale.repetition(mix, 1, scale.operations() / 2, scale.repeats() / 2),
        regime);
  }

  static Experiment consistency(LabScale scale) {
    Map<String, ConsistencyLevels> levels = new LinkedHashMap<>();
    levels.put("31", Plans.ALL_ONE);
    levels.put("22", Plans.TWO_TWO);
    levels.put("13", Plans.ONE_ALL);
    List<Step> steps = Plans.loaded(scale, scale.rows());
    levels.forEach(
        (name, pair) -> {
          // the figure is of reads at (2, 2): the others are there to be seen beside them
          steps.add(
              name.equals("22")
                  ? Plans.blocks(scale, "read_22", OperationMix.READS, pair)
                  : Plans.fewBlocks(scale, "read_" + name, OperationMix.READS, pair));
          steps.add(Plans.fewBlocks(scale, "update_" + name, OperationMix.UPDATES, pair));
        });
    return new Experiment(
        "depart-exp2",
        "DEPART §5.2 Experiment 2, Figure 12",
        "Reads and updates under three pairs of consistency levels with WCL + RCL > 3",
        List.of(Plans.stage(scale, Plans.withRank(scale, Plans.armsBesideLcs(scale)), steps)),
        List.of(
            new Aim.Throughput(
                "exp2.reads22_vs_lcs", "read_22", Plans.DECOUPLED, Arm.LCS, 1.5, "1.70")));
  }

  static Experiment ycsb(LabScale scale) {
    List<Step> steps = Plans.loaded(scale, scale.rows());
    List<Aim> aims = new ArrayList<>();
    for (char workload = 'a'; workload <= 'f'; workload++) {
      String phase = "ycsb_" + workload;
      OperationMix mix = OperationMix.named(phase);
      steps.add(Plans.blocks(scale, phase, mix, Plans.ONE_ONE, Plans.SLOW_DISK));
      if (CURVE_WORKLOADS.contains(phase)) {
        steps.add(curvePoint(scale, phase, mix, Regime.HEADLINE));
      }
      aims.add(
          new Aim.Throughput(
              "exp4." + phase + "_vs_lcs", phase, Plans.DECOUPLED, Arm.LCS, 1.3, "1.4-2.4"));
    }
    return new Experiment(
        "depart-exp4",
        "DEPART §5.2 Experiment 4, Figure 14",
        "YCSB's six core workloads at (WCL, RCL) = (1, 1)",
        List.of(Plans.stage(scale, Plans.withRank(scale, Plans.armsBesideLcs(scale)), steps)),
        aims);
  }
}

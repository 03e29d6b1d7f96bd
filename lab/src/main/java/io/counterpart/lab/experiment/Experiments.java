package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.run.Aim;
import io.counterpart.lab.run.Experiment;
import io.counterpart.lab.run.ExperimentArm;
import io.counterpart.lab.run.Routing;
import io.counterpart.lab.run.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The experiments that the lab knows: DEPART §5.2, each beside stock Cassandra. */
public final class Experiments {
  private static final ConsistencyLevels ONE_ONE =
      levels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);
  private static final ConsistencyLevels ALL_ONE =
      levels(DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ONE);
  private static final ConsistencyLevels TWO_TWO =
      levels(DefaultConsistencyLevel.TWO, DefaultConsistencyLevel.TWO);
  private static final ConsistencyLevels ONE_ALL =
      levels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ALL);

  private static final String DECOUPLED = Arm.DECOUPLED_T4 + "+pf";

  private static final Map<String, Function<LabScale, Experiment>> ALL = all();

  private Experiments() {}

  /** Names, in the paper's order. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /**
   * An experiment at a scale.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static Experiment named(String name, LabScale scale) {
    Function<LabScale, Experiment> found = ALL.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "experiment '%s': must be one of %s".formatted(name, String.join(", ", names())));
    }
    return found.apply(scale);
  }

  private static Map<String, Function<LabScale, Experiment>> all() {
    Map<String, Function<LabScale, Experiment>> all = new LinkedHashMap<>();
    all.put("depart-exp1", Experiments::operations);
    all.put("depart-exp2", Experiments::consistency);
    all.put("depart-exp4", Experiments::ycsb);
    return all;
  }

  private static Experiment operations(LabScale scale) {
    List<Step> steps = loaded(scale);
    for (OperationMix mix : List.of(OperationMix.READS, OperationMix.SCANS, OperationMix.UPDATES)) {
      steps.add(blocks(scale, mix.name(), mix, ONE_ONE));
      steps.add(blocks(scale, mix.name() + "_31", mix, ALL_ONE));
    }
    return experiment(
        "depart-exp1",
        "DEPART §5.2 Experiment 1, Figures 10 and 11",
        "Reads, scans and updates at (WCL, RCL) = (1, 1) and (3, 1)",
        scale,
        steps,
        List.of(
            new Aim("exp1.reads_vs_lcs", "read", DECOUPLED, Arm.LCS, 2.5, "2.43"),
            new Aim("exp1.reads_vs_ucs_t4", "read", DECOUPLED, Arm.UCS_T4, 1.5, ""),
            new Aim("exp1.scans_vs_lcs", "scan", DECOUPLED, Arm.LCS, 2.0, "2.68"),
            new Aim("exp1.updates_vs_lcs", "update", DECOUPLED, Arm.LCS, 1.5, "1.44")));
  }

  private static Experiment consistency(LabScale scale) {
    Map<String, ConsistencyLevels> levels = new LinkedHashMap<>();
    levels.put("31", ALL_ONE);
    levels.put("22", TWO_TWO);
    levels.put("13", ONE_ALL);
    List<Step> steps = loaded(scale);
    levels.forEach(
        (name, pair) -> {
          steps.add(blocks(scale, "read_" + name, OperationMix.READS, pair));
          steps.add(blocks(scale, "update_" + name, OperationMix.UPDATES, pair));
        });
    return experiment(
        "depart-exp2",
        "DEPART §5.2 Experiment 2, Figure 12",
        "Reads and updates under three pairs of consistency levels with WCL + RCL > 3",
        scale,
        steps,
        List.of(new Aim("exp2.reads22_vs_lcs", "read_22", DECOUPLED, Arm.LCS, 1.5, "1.70")));
  }

  private static Experiment ycsb(LabScale scale) {
    List<Step> steps = loaded(scale);
    List<Aim> aims = new ArrayList<>();
    for (char workload = 'a'; workload <= 'f'; workload++) {
      String phase = "ycsb_" + workload;
      steps.add(blocks(scale, phase, OperationMix.named(phase), ONE_ONE));
      aims.add(new Aim("exp4." + phase + "_vs_lcs", phase, DECOUPLED, Arm.LCS, 1.3, "1.4-2.4"));
    }
    return experiment(
        "depart-exp4",
        "DEPART §5.2 Experiment 4, Figure 14",
        "YCSB's six core workloads at (WCL, RCL) = (1, 1)",
        scale,
        steps,
        aims);
  }

  private static Experiment experiment(
      String name, String paper, String title, LabScale scale, List<Step> steps, List<Aim> aims) {
    return new Experiment(name, paper, title, scale.rows(), scale.rows() * 4, arms(), steps, aims);
  }

  /** Stock and decoupled, each with stock routing and with the primary first. */
  private static List<ExperimentArm> arms() {
    List<ExperimentArm> arms = new ArrayList<>();
    for (String table : List.of(Arm.LCS, Arm.UCS_T4, Arm.DECOUPLED_T4)) {
      for (Routing routing : Routing.values()) {
        Arm.named(table).ifPresent(arm -> arms.add(new ExperimentArm(arm, routing)));
      }
    }
    return arms;
  }

  private static List<Step> loaded(LabScale scale) {
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Load(scale.slices()));
    steps.add(new Step.Drain());
    return steps;
  }

  private static Step blocks(
      LabScale scale, String phase, OperationMix mix, ConsistencyLevels levels) {
    // a scan reads a hundred rows
    int operations = mix.scan() > 0 ? scale.operations() / 10 : scale.operations();
    return new Step.Blocks(phase, mix, levels, operations, scale.repeats());
  }

  private static ConsistencyLevels levels(ConsistencyLevel write, ConsistencyLevel read) {
    return new ConsistencyLevels(write, read);
  }
}

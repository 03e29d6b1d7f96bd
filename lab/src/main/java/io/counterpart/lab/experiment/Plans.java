package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;

/** Shared parts of the declarations of experiments. */
final class Plans {
  static final ConsistencyLevels ONE_ONE =
      levels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);
  static final ConsistencyLevels ALL_ONE =
      levels(DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ONE);
  static final ConsistencyLevels TWO_TWO =
      levels(DefaultConsistencyLevel.TWO, DefaultConsistencyLevel.TWO);
  static final ConsistencyLevels ONE_ALL =
      levels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ALL);

  /**
   * For mixes, and for nodes that do a lost one's work too: at the headline's rate of reads two
   * cores are their limit and not the disk, whatever the layout.
   */
  static final Regime SLOW_DISK = new Regime(Regime.HEADLINE.cacheFraction(), 100);

  /** The arm that stands for Counterpart in figures. */
  static final String DECOUPLED = Arm.DECOUPLED_T4 + "+pf";

  private Plans() {}

  /**
   * These arms, and primary copies in a B+tree. Not at smoke scale, where {@code engine-by-rank} is
   * small enough.
   *
   * @param replicationFactor of the table
   * @param rows see {@link Arm#forRows}
   */
  static List<ExperimentArm> withRank(
      LabScale scale, List<ExperimentArm> arms, int replicationFactor, int rows) {
    List<ExperimentArm> all = new ArrayList<>(arms);
    if (scale != LabScale.SMOKE) {
      all.add(byRank(replicationFactor, rows));
    }
    return all;
  }

  /** Primary copies in a B+tree, which are read first. */
  static ExperimentArm byRank(int replicationFactor, int rows) {
    Arm arm = Arm.known(Arm.BY_RANK).forRows(rows);
    return new ExperimentArm(new LabTable(arm, replicationFactor), Routing.PRIMARY_FIRST);
  }

  /** The same for a table of the scale's rows on the usual cluster. */
  static List<ExperimentArm> withRank(LabScale scale, List<ExperimentArm> arms) {
    return withRank(scale, arms, LabCluster.REPLICATION_FACTOR, scale.rows());
  }

  /** Stock and decoupled tables, each read with stock routing and with the primary first. */
  static List<ExperimentArm> arms(LabScale scale) {
    return arms(
        List.of(Arm.LCS, Arm.UCS_T4, Arm.DECOUPLED_T4),
        LabCluster.REPLICATION_FACTOR,
        scale.rows());
  }

  /** Without stock UCS, where all arms would take an hour. */
  static List<ExperimentArm> armsBesideLcs(LabScale scale) {
    return arms(List.of(Arm.LCS, Arm.DECOUPLED_T4), LabCluster.REPLICATION_FACTOR, scale.rows());
  }

  /**
   * Each table with stock routing and with the primary first.
   *
   * @param rows see {@link Arm#forRows}
   */
  static List<ExperimentArm> arms(List<String> compactions, int replicationFactor, int rows) {
    List<ExperimentArm> arms = new ArrayList<>();
    for (String name : compactions) {
      LabTable table = new LabTable(arm(name, rows), replicationFactor);
      for (Routing routing : List.of(Routing.STOCK, Routing.PRIMARY_FIRST)) {
        arms.add(new ExperimentArm(table, routing));
      }
    }
    return arms;
  }

  /** An arm of the bench for a table of so many rows. */
  static Arm arm(String name, int rows) {
    return Arm.named(name).orElseThrow().forRows(rows);
  }

  /** A stage of the usual cluster, with room for the rows that its blocks insert. */
  static Stage stage(LabScale scale, List<ExperimentArm> arms, List<Step> steps) {
    return new Stage(LabCluster.NODES, scale.rows() * 4, arms, steps);
  }

  static List<Step> loaded(LabScale scale, int rows) {
    return new ArrayList<>(
        List.of(new Step.Load("load", rows, scale.slices()), new Step.Drain("drain")));
  }

  /** Blocks of the usual length at the headline's regime. */
  static Step.Blocks blocks(
      LabScale scale, String phase, OperationMix mix, ConsistencyLevels levels) {
    return blocks(scale, phase, mix, levels, Regime.HEADLINE);
  }

  /** Blocks of the usual length. */
  static Step.Blocks blocks(
      LabScale scale, String phase, OperationMix mix, ConsistencyLevels levels, Regime regime) {
    return blocks(phase, mix, levels, scale, scale.operations(), scale.repeats(), regime);
  }

  /** Half as many repeats of half the length, for a phase that no figure is taken from. */
  static Step.Blocks fewBlocks(
      LabScale scale, String phase, OperationMix mix, ConsistencyLevels levels) {
    return blocks(
        phase, mix, levels, scale, scale.operations() / 2, scale.fewRepeats(), Regime.HEADLINE);
  }

  private static Step.Blocks blocks(
      String phase,
      OperationMix mix,
      ConsistencyLevels levels,
      LabScale scale,
      int operations,
      int repeats,
      Regime regime) {
    // a scan reads a hundred rows
    int each = mix.scan() > 0 ? operations / 10 : operations;
    return new Step.Blocks(
        phase, mix, levels, scale.repetition(mix, copiesRead(levels), each, repeats), regime);
  }

  private static int copiesRead(ConsistencyLevels levels) {
    if (levels.read() == DefaultConsistencyLevel.ALL) {
      return LabCluster.REPLICATION_FACTOR;
    }
    return levels.read() == DefaultConsistencyLevel.TWO ? 2 : 1;
  }

  private static ConsistencyLevels levels(ConsistencyLevel write, ConsistencyLevel read) {
    return new ConsistencyLevels(write, read);
  }
}

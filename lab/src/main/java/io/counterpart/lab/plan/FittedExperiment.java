package io.counterpart.lab.plan;

import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.setup.ServerShape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An experiment adapted to an existing cluster.
 *
 * <p>If all stages want the same number of nodes, the cluster's number replaces it; if the stages
 * differ in that number, only the stages with the cluster's number remain. Cache and disk of such
 * nodes cannot be limited: phases that only vary the limits are left out, and the others run
 * without limits. Steps that do more to nodes than read and write tables do not fit at all. Arms on
 * storage engines that the nodes cannot have are left out anywhere, with the figures that need
 * them.
 *
 * @param experiment what runs
 * @param skipped what does not, each as a line for people
 */
public record FittedExperiment(Experiment experiment, List<String> skipped) {

  /**
   * Fits an experiment.
   *
   * @param nodes empty if as many are started as are asked for: then all of it fits
   * @throws RunRefusedException if no stage is left
   */
  public static FittedExperiment of(Experiment experiment, OptionalInt nodes) {
    return nodes.isEmpty()
        ? new FittedExperiment(experiment, List.of())
        : fit(experiment, nodes.getAsInt());
  }

  /**
   * The same with some storage engines.
   *
   * @param engines names of those that the nodes can have
   * @throws RunRefusedException also if no arm is left
   */
  public static FittedExperiment of(Experiment whole, OptionalInt nodes, Set<String> engines) {
    List<String> there = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    whole.stages().stream()
        .flatMap(stage -> stage.arms().stream())
        .distinct()
        .forEach(
            arm ->
                arm.table().arm().engines().stream()
                    .filter(engine -> !engines.contains(engine))
                    .findFirst()
                    .ifPresentOrElse(
                        engine ->
                            skipped.add(
                                "arm %s skipped: the nodes cannot have the storage engine %s"
                                    .formatted(arm.name(), engine)),
                        () -> there.add(arm.name())));
    if (there.isEmpty()) {
      throw new RunRefusedException("%s: %s".formatted(whole.name(), String.join("; ", skipped)));
    }
    FittedExperiment fitted = of(skipped.isEmpty() ? whole : whole.withArms(there), nodes);
    skipped.addAll(fitted.skipped());
    return new FittedExperiment(fitted.experiment(), List.copyOf(skipped));
  }

  private static FittedExperiment fit(Experiment experiment, int nodes) {
    List<Integer> wanted = experiment.stages().stream().map(Stage::nodes).distinct().toList();
    List<String> skipped = new ArrayList<>();
    List<Stage> left = new ArrayList<>();
    for (Stage stage : experiment.stages()) {
      if (!stage.servers().equals(ServerShape.USUAL)) {
        throw new RunRefusedException(
            "%s: needs servers with %s, and those of somebody else's stay as they are"
                .formatted(experiment.name(), stage.servers().describe()));
      }
      if (stage.placement() != Placement.EVEN) {
        throw new RunRefusedException(
            "%s: needs nodes with %s tokens of its own, and those of somebody else's stay as they are"
                .formatted(experiment.name(), stage.placement()));
      }
      if (stage.decidesLevels()) {
        throw new RunRefusedException(
            "%s: its arms with +cr need nodes that start with a query handler, and those of somebody else's are not started"
                .formatted(experiment.name()));
      }
      if (wanted.size() == 1 || stage.nodes() == nodes) {
        left.add(stage.with(nodes, withoutCurves(experiment.name(), stage.steps(), skipped)));
      } else {
        skipped.add(
            "stage of %d nodes skipped: the cluster has %d".formatted(stage.nodes(), nodes));
      }
    }
    if (left.isEmpty()) {
      throw new RunRefusedException(
          "%s compares clusters of %s nodes; this one has %d"
              .formatted(experiment.name(), wanted, nodes));
    }
    return new FittedExperiment(experiment.withStages(left), List.copyOf(skipped));
  }

  private static List<Step> withoutCurves(String name, List<Step> steps, List<String> skipped) {
    Regime usual = usual(steps);
    List<Step> left = new ArrayList<>();
    for (Step step : steps) {
      if (!leavesNodesAlone(step)) {
        throw new RunRefusedException(
            "%s: its step %s records, stops or changes processes, which somebody else's nodes are spared"
                .formatted(name, step.getClass().getSimpleName()));
      }
      if (step instanceof Step.Blocks blocks
          && blocks.regime().isLimited()
          && !blocks.regime().withSameCache().equals(usual)) {
        skipped.add(
            "phase %s skipped: it only varies limits, and nodes of somebody else's cannot be limited"
                .formatted(blocks.phase()));
      } else {
        left.add(step);
      }
    }
    if (left.stream().noneMatch(Step.Blocks.class::isInstance)
        && steps.stream().anyMatch(Step.Blocks.class::isInstance)) {
      throw new RunRefusedException(
          "%s: every phase limits cache or disk, which nodes of somebody else's cannot be"
              .formatted(name));
    }
    return left;
  }

  /** What other limits vary: the first ones with the headline's share of cache. */
  private static Regime usual(List<Step> steps) {
    return steps.stream()
        .filter(Step.Blocks.class::isInstance)
        .map(step -> ((Step.Blocks) step).regime())
        .filter(regime -> regime.cacheFraction() == Regime.HEADLINE.cacheFraction())
        .findFirst()
        .orElse(Regime.HEADLINE)
        .withSameCache();
  }

  // what is known to be harmless, not what is known to be not: steps come to be
  private static boolean leavesNodesAlone(Step step) {
    return step instanceof Step.Load
        || step instanceof Step.Rounds
        || step instanceof Step.Update
        || step instanceof Step.Drain
        || step instanceof Step.FlushWrites
        || step instanceof Step.UpdateStatements
        || step instanceof Step.Blocks;
  }
}

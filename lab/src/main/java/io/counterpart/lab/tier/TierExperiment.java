package io.counterpart.lab.tier;

import io.counterpart.lab.plan.Aim;
import java.util.List;

/**
 * A declared experiment of the memory tier.
 *
 * @param name stable name, as the command line takes it
 * @param paper its place in the paper
 * @param title its subject
 * @param stages one after the other, at least one
 * @param aims figures of merit
 */
public record TierExperiment(
    String name, String paper, String title, List<TierStage> stages, List<Aim> aims) {
  /** Checks that there is at least one stage. */
  public TierExperiment {
    stages = List.copyOf(stages);
    aims = List.copyOf(aims);
    if (stages.isEmpty()) {
      throw new IllegalArgumentException("experiment %s: needs a stage".formatted(name));
    }
  }

  /** Blocks that a whole run measures. */
  public int blocks() {
    return stages.stream().mapToInt(TierStage::blocks).sum();
  }

  /** The arms' names, each once, in order. */
  public List<String> armNames() {
    return stages.stream().flatMap(stage -> stage.armNames().stream()).distinct().toList();
  }

  /**
   * The same experiment on some of its arms; figures of absent ones are left out.
   *
   * @throws IllegalArgumentException if it has no such arm
   */
  public TierExperiment withArms(List<String> names) {
    List<String> known = armNames();
    for (String arm : names) {
      if (!known.contains(arm)) {
        throw new IllegalArgumentException(
            "arm '%s': %s has %s".formatted(arm, name, String.join(", ", known)));
      }
    }
    List<TierStage> chosen =
        stages.stream()
            .filter(stage -> stage.armNames().stream().anyMatch(names::contains))
            .map(stage -> stage.withArms(names))
            .toList();
    return new TierExperiment(name, paper, title, chosen, aims);
  }
}

package io.counterpart.lab.plan;

import io.counterpart.lab.setup.Arm;
import java.util.ArrayList;
import java.util.List;

/**
 * A declared experiment.
 *
 * @param name stable name, as the command line takes it
 * @param paper where the paper has it
 * @param title what it shows
 * @param stages one after another, at least one
 * @param aims figures of merit
 * @param curves drawn of its blocks
 */
public record Experiment(
    String name, String paper, String title, List<Stage> stages, List<Aim> aims, Curves curves) {
  /** Checks that there is something to do. */
  public Experiment {
    stages = List.copyOf(stages);
    aims = List.copyOf(aims);
    if (stages.isEmpty()) {
      throw new IllegalArgumentException("experiment %s: needs a stage".formatted(name));
    }
  }

  /** An experiment without curves. */
  public Experiment(String name, String paper, String title, List<Stage> stages, List<Aim> aims) {
    this(name, paper, title, stages, aims, Curves.NONE);
  }

  /** How its tables are compacted, each way once. */
  public List<Arm> compactions() {
    return stages.stream()
        .flatMap(stage -> stage.tables().stream())
        .map(table -> table.arm())
        .distinct()
        .toList();
  }

  /** Storage engines of its tables, each once. */
  public List<String> engines() {
    return stages.stream().flatMap(stage -> stage.engines().stream()).distinct().toList();
  }

  /** Stages that run one after another, and among them those that run side by side. */
  public List<List<Stage>> rounds() {
    List<List<Stage>> rounds = new ArrayList<>();
    for (Stage stage : stages) {
      boolean joins =
          !rounds.isEmpty()
              && stage.servers().isSideBySide()
              && rounds.get(rounds.size() - 1).get(0).servers().isSideBySide();
      if (!joins) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(rounds.size() - 1).add(stage);
    }
    return rounds;
  }

  /** Blocks that a whole run measures. */
  public int blocks() {
    return stages.stream().mapToInt(Stage::blocks).sum();
  }

  /** The arms' names, each once, in order. */
  public List<String> armNames() {
    return stages.stream()
        .flatMap(stage -> stage.arms().stream())
        .map(ExperimentArm::name)
        .distinct()
        .toList();
  }

  /** The same experiment with other stages. */
  Experiment withStages(List<Stage> others) {
    return new Experiment(name, paper, title, others, aims, curves);
  }

  /**
   * The same experiment on some of its arms; figures of absent ones are left out.
   *
   * @throws IllegalArgumentException if it has no such arm
   */
  public Experiment withArms(List<String> names) {
    List<String> known = armNames();
    for (String arm : names) {
      if (!known.contains(arm)) {
        throw new IllegalArgumentException(
            "arm '%s': %s has %s".formatted(arm, name, String.join(", ", known)));
      }
    }
    List<Stage> chosen =
        stages.stream()
            .filter(stage -> stage.arms().stream().anyMatch(arm -> names.contains(arm.name())))
            .map(stage -> stage.withArms(names))
            .toList();
    return new Experiment(name, paper, title, chosen, aims, curves);
  }
}

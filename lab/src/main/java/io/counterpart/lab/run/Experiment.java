package io.counterpart.lab.run;

import io.counterpart.lab.setup.Arm;
import java.util.HashSet;
import java.util.List;

/**
 * A declared experiment.
 *
 * @param name stable name, as the command line takes it
 * @param paper where the paper has it
 * @param title what it shows
 * @param rows rows of each table, 1,000 to 10,000,000
 * @param capacity most rows of a table, inserts of its blocks included
 * @param arms what is compared, each once
 * @param steps in order
 * @param aims figures of merit
 */
public record Experiment(
    String name,
    String paper,
    String title,
    int rows,
    int capacity,
    List<ExperimentArm> arms,
    List<Step> steps,
    List<Aim> aims) {
  /** Checks that no arm is there twice. */
  public Experiment {
    arms = List.copyOf(arms);
    steps = List.copyOf(steps);
    aims = List.copyOf(aims);
    if (arms.isEmpty() || new HashSet<>(arms).size() < arms.size()) {
      throw new IllegalArgumentException(
          "arms %s: needs at least one, and each at most once"
              .formatted(arms.stream().map(ExperimentArm::name).toList()));
    }
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
    List<ExperimentArm> chosen = arms.stream().filter(arm -> names.contains(arm.name())).toList();
    return new Experiment(name, paper, title, rows, capacity, chosen, steps, aims);
  }

  /** The arms' names, in order. */
  public List<String> armNames() {
    return arms.stream().map(ExperimentArm::name).toList();
  }

  /** The tables of the arms, each once. */
  List<Arm> tables() {
    return arms.stream().map(ExperimentArm::table).distinct().toList();
  }
}

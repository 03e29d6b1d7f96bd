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

  /** The tables of the arms, each once. */
  List<Arm> tables() {
    return arms.stream().map(ExperimentArm::table).distinct().toList();
  }

  /** Blocks that a whole run measures. */
  public int blocks() {
    int blocks = 0;
    for (Step step : steps) {
      if (step instanceof Step.Load load) {
        blocks += load.slices() * tables().size();
      } else if (step instanceof Step.Blocks run) {
        blocks += run.repeats() * arms.size();
      }
    }
    return blocks;
  }
}

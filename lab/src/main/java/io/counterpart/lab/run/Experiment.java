package io.counterpart.lab.run;

import io.counterpart.lab.setup.Arm;
import java.util.List;

/**
 * A declared experiment.
 *
 * @param name stable name, as the command line takes it
 * @param paper where the paper has it
 * @param title what it shows
 * @param stages one after another, at least one
 * @param aims figures of merit
 */
public record Experiment(
    String name, String paper, String title, List<Stage> stages, List<Aim> aims) {
  /** Checks that there is something to do. */
  public Experiment {
    stages = List.copyOf(stages);
    aims = List.copyOf(aims);
    if (stages.isEmpty()) {
      throw new IllegalArgumentException("experiment %s: needs a stage".formatted(name));
    }
  }

  /** How its tables are compacted, each way once. */
  public List<Arm> compactions() {
    return stages.stream()
        .flatMap(stage -> stage.tables().stream())
        .map(table -> table.arm())
        .distinct()
        .toList();
  }
}

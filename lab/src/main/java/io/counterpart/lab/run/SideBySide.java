package io.counterpart.lab.run;

import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Step;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Stages whose clusters are there at the same time. They take every step together, and blocks of a
 * step in turn, repeat by repeat, forwards and then backwards: a pair of blocks lies as close
 * together as those of one cluster. Stateless.
 */
final class SideBySide {
  private SideBySide() {}

  /**
   * Runs them to their end.
   *
   * @throws IllegalArgumentException if their steps are not of the same kinds in the same order
   */
  static void run(List<StageRun> stages) throws InterruptedException, TimeoutException {
    requireSame(stages);
    for (int step = 0; step < stages.get(0).steps().size(); step++) {
      if (stages.get(0).steps().get(step) instanceof Step.Blocks first) {
        Repetition each = first.repetition();
        for (int repeat = -each.warmUps(); repeat < each.repeats(); repeat++) {
          for (StageRun stage : StageRun.alternating(stages, Math.floorMod(repeat, 2))) {
            stage.take((Step.Blocks) stage.steps().get(step), repeat);
          }
        }
      } else {
        for (StageRun stage : stages) {
          stage.take(stage.steps().get(step));
        }
      }
    }
  }

  private static void requireSame(List<StageRun> stages) {
    if (stages.stream().map(stage -> kinds(stage.steps())).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "steps side by side: must be of the same kinds, phases and repeats, are %s"
              .formatted(stages.stream().map(stage -> kinds(stage.steps())).toList()));
    }
  }

  private static List<String> kinds(List<Step> steps) {
    return steps.stream().map(SideBySide::kind).toList();
  }

  private static String kind(Step step) {
    return step instanceof Step.Blocks blocks
        ? "%s (%d + %d)"
            .formatted(blocks.phase(), blocks.repetition().warmUps(), blocks.repetition().repeats())
        : step.getClass().getSimpleName();
  }
}

package io.counterpart.lab.run;

import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Stages whose clusters are there at the same time. They take every step together, and blocks of a
 * step in turn, repeat by repeat, forwards and then backwards: a pair of blocks lies as close
 * together as those of one cluster. Stateless.
 */
final class SideBySide {
  private SideBySide() {}

  /**
   * What one stage does before the next stage's turn.
   *
   * @param stage its index
   * @param step all of it, or one repeat if it is of blocks
   * @param repeat below 0 for a warm-up; 0 if the step is not of blocks
   */
  record Turn(int stage, Step step, int repeat) {}

  /**
   * Runs them to their end.
   *
   * @throws IllegalArgumentException if their steps are not of the same kinds in the same order
   */
  static void run(List<StageRun> stages) throws InterruptedException, TimeoutException {
    for (Turn turn : turns(stages.stream().map(StageRun::steps).toList())) {
      StageRun stage = stages.get(turn.stage());
      if (turn.step() instanceof Step.Blocks blocks) {
        stage.take(blocks, turn.repeat());
      } else {
        stage.take(turn.step());
      }
    }
  }

  /**
   * The order.
   *
   * @param stages the steps of each
   */
  static List<Turn> turns(List<List<Step>> stages) {
    requireSame(stages);
    List<Integer> forwards = IntStream.range(0, stages.size()).boxed().toList();
    List<Turn> turns = new ArrayList<>();
    for (int step = 0; step < stages.get(0).size(); step++) {
      if (stages.get(0).get(step) instanceof Step.Blocks blocks) {
        Repetition each = blocks.repetition();
        for (int repeat = -each.warmUps(); repeat < each.repeats(); repeat++) {
          for (int stage : StageRun.alternating(forwards, Math.floorMod(repeat, 2))) {
            turns.add(new Turn(stage, stages.get(stage).get(step), repeat));
          }
        }
      } else {
        for (int stage : forwards) {
          turns.add(new Turn(stage, stages.get(stage).get(step), 0));
        }
      }
    }
    return turns;
  }

  private static void requireSame(List<List<Step>> stages) {
    List<List<String>> kinds =
        stages.stream().map(steps -> steps.stream().map(SideBySide::kind).toList()).toList();
    if (kinds.stream().distinct().count() > 1) {
      throw new IllegalArgumentException(
          "steps side by side are %s: must be of the same kinds, phases and repeats"
              .formatted(kinds));
    }
  }

  private static String kind(Step step) {
    return step instanceof Step.Blocks blocks
        ? "%s (%d + %d)"
            .formatted(blocks.phase(), blocks.repetition().warmUps(), blocks.repetition().repeats())
        : step.getClass().getSimpleName();
  }
}

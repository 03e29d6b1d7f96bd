package io.counterpart.lab.run;

import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.Drain;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/**
 * Takes the steps of an experiment on tables that exist and are empty. Blocks of the arms alternate
 * (ABBA: every second round runs backwards), so that what drifts bears on all of them alike.
 */
final class ExperimentRun {
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(20);

  private final Experiment experiment;
  private final Map<String, TableRun> tables;
  private final ConnectedNodes nodes;
  private final Progress progress;
  private final RunListener listener;
  private final long seed;
  private final List<BlockResult> blocks = new ArrayList<>();

  /**
   * @param tables by the name of their arm
   */
  ExperimentRun(
      Experiment experiment,
      Map<String, TableRun> tables,
      ConnectedNodes nodes,
      Progress progress,
      RunListener listener,
      long seed) {
    this.experiment = experiment;
    this.tables = Map.copyOf(tables);
    this.nodes = nodes;
    this.progress = progress;
    this.listener = listener;
    this.seed = seed;
  }

  /** All steps; the blocks measured, in order. */
  List<BlockResult> run() throws TimeoutException {
    for (Step step : experiment.steps()) {
      if (step instanceof Step.Load load) {
        load(load);
      } else if (step instanceof Step.Drain) {
        drain();
      } else if (step instanceof Step.Blocks run) {
        blocks(run);
      }
    }
    return List.copyOf(blocks);
  }

  private void load(Step.Load load) {
    for (int slice = 0; slice < load.slices(); slice++) {
      int from = (int) ((long) experiment.rows() * slice / load.slices());
      int to = (int) ((long) experiment.rows() * (slice + 1) / load.slices());
      for (Arm arm : alternating(experiment.tables(), slice)) {
        LongConsumer step = progress.step("%s load %d".formatted(arm.name(), slice + 1), to - from);
        add(table(arm.name()).insert("load", slice, to - from, step));
      }
    }
  }

  private void drain() throws TimeoutException {
    for (Arm arm : experiment.tables()) {
      progress.step(arm.name() + " drain", 0);
      new Drain(table(arm.name()).probe(), DRAIN_LIMIT).flushAndAwait();
    }
  }

  private void blocks(Step.Blocks step) {
    for (int repeat = 0; repeat < step.repeats(); repeat++) {
      // the same keys in the same order for every arm of a repeat
      Phase phase = new Phase(step.mix(), step.operations(), step.levels(), 0, seed * 31 + repeat);
      for (ExperimentArm arm : alternating(experiment.arms(), repeat)) {
        arm.routing().apply(nodes);
        String label = "%s %s %d".formatted(arm.name(), step.phase(), repeat + 1);
        add(
            table(arm.table().name())
                .run(
                    arm.name(),
                    step.phase(),
                    repeat,
                    phase,
                    progress.step(label, step.operations())));
      }
    }
  }

  private void add(BlockResult block) {
    blocks.add(block);
    listener.measured(block);
  }

  private TableRun table(String name) {
    return Objects.requireNonNull(tables.get(name), name);
  }

  private static <T> List<T> alternating(List<T> forwards, int round) {
    List<T> order = new ArrayList<>(forwards);
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}

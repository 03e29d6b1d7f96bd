package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.profile.FlightRecorder;
import io.counterpart.lab.profile.Profiler;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import io.counterpart.lab.workload.Phase;
import io.counterpart.lab.workload.ReadRouting;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Runs the steps of a stage on tables that exist and are empty. */
final class StageRun {
  private static final ConsistencyLevels ONE =
      new ConsistencyLevels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);

  private final Stage stage;
  private final Map<String, TableRun> tables;
  private final ConnectedNodes nodes;
  private final BlockSteps blocks;
  private final FailureSteps failures;
  private final RegimeControl regimes;
  private final Progress progress;
  private final Consumer<BlockResult> onBlock;
  private final WorkloadSpec workload;

  StageRun(StageContext context) {
    stage = context.stage();
    tables = context.tables();
    nodes = context.running().nodes();
    regimes = context.regimes();
    progress = context.progress();
    onBlock = context.onBlock();
    workload = context.workload();
    blocks = new BlockSteps(context);
    failures = new FailureSteps(context);
  }

  /** One repeat of blocks, below 0 for a warm-up. */
  void take(Step.Blocks step, int repeat) throws TimeoutException {
    blocks.run(step, repeat, false);
  }

  /** The steps that it runs. */
  List<Step> steps() {
    return stage.steps();
  }

  /** One step. */
  void take(Step step) throws InterruptedException, TimeoutException {
    if (step instanceof Step.Load load) {
      load(load);
    } else if (step instanceof Step.Update update) {
      update(update);
    } else if (step instanceof Step.Drain drain) {
      drain(drain);
    } else if (step instanceof Step.Rounds rounds) {
      rounds(rounds);
    } else if (step instanceof Step.Blocks some) {
      blocks.run(some, false);
    } else if (step instanceof Step.ColdReads cold) {
      blocks.run(cold.blocks(ONE), true);
    } else if (step instanceof Step.Disturb disturb) {
      blocks.disturb(disturb.by());
    } else if (step instanceof Step.FlushWrites) {
      // a B+tree reads a page for each row that it merges: minutes, at the limit
      tables.values().forEach(table -> table.flushAfterWrites(regimes::hasten));
    } else if (step instanceof Step.UpdateStatements) {
      tables.values().forEach(table -> table.client().table().writeByUpdates());
    } else if (step instanceof Step.Profile) {
      Profiler profiler = FlightRecorder.of(nodes);
      tables.values().forEach(table -> table.profileBy(profiler));
    } else {
      failures.take(step);
    }
  }

  private void load(Step.Load load) throws TimeoutException {
    for (int slice = 0; slice < load.slices(); slice++) {
      int from = (int) ((long) load.rows() * slice / load.slices());
      int to = (int) ((long) load.rows() * (slice + 1) / load.slices());
      for (LabTable table : alternating(stage.tables(), slice)) {
        LongConsumer step =
            progress.step(
                "%s %s %d".formatted(table.name(), load.phase(), slice + 1), (long) to - from);
        TableRun run = run(table);
        regimes.lift();
        onBlock.accept(run.insert(load.phase(), slice, to - from, step));
      }
    }
  }

  private void rounds(Step.Rounds step) throws TimeoutException {
    regimes.lift();
    for (int round = 0; round < step.rounds(); round++) {
      int rows = share(step.rows(), round, step.rounds());
      int updates = share(step.updates(), round, step.rounds());
      for (LabTable table : alternating(stage.tables(), round)) {
        LongConsumer shown =
            progress.step(
                "%s %s %d".formatted(table.name(), step.phase(), round + 1), (long) rows + updates);
        onBlock.accept(run(table).round(step.phase(), round, rows, updates, shown));
      }
    }
  }

  private static int share(int all, int part, int parts) {
    return (int) ((long) all * (part + 1) / parts - (long) all * part / parts);
  }

  private void update(Step.Update step) throws TimeoutException {
    Phase updates =
        new Phase(
            OperationMix.UPDATES,
            step.operations(),
            step.levels(),
            ReadRouting.ANY_REPLICA,
            workload.shape().operationsPerSecond(),
            BlockSteps.seed(workload, 0));
    for (LabTable table : stage.tables()) {
      LongConsumer shown =
          progress.step("%s %s".formatted(table.name(), step.phase()), step.operations());
      TableRun run = run(table);
      regimes.apply(step.regime(), run.probe());
      onBlock.accept(run.run(table.name(), step.phase(), 0, updates, shown));
    }
  }

  private void drain(Step.Drain drain) throws TimeoutException {
    // the last table loaded is the one with most to do: it shall not do it beside the others
    for (LabTable table : alternating(stage.tables(), 1)) {
      progress.step("%s %s".formatted(table.name(), drain.phase()), 0);
      onBlock.accept(run(table).drain(drain.phase(), 0));
    }
  }

  private TableRun run(LabTable table) {
    return Objects.requireNonNull(tables.get(table.name()), table.name());
  }

  static <T> List<T> alternating(List<T> forwards, int round) {
    List<T> order = new ArrayList<>(forwards);
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}

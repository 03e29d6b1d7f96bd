package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.Decisions;
import io.counterpart.lab.measure.ReplicaSwitches;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.plan.Disturbance;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.OperationMix;
import io.counterpart.lab.workload.Phase;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs blocks of a stage's arms. They alternate (ABBA: every second round runs backwards), so that
 * drift affects all of them alike.
 */
final class BlockSteps {
  // other keys than the block's own, as popular
  private static final long FILL_SEED = 1_000_003;
  private static final long LEAD_IN_SEED = 2_000_003;

  private final Stage stage;
  private final Map<String, TableRun> tables;
  private final RunningLab running;
  private final ConnectedNodes nodes;
  private final RegimeControl regimes;
  private final Progress progress;
  private final Consumer<BlockResult> onBlock;
  private final WorkloadSpec workload;
  private Disturbance disturbance = Disturbance.NONE;

  BlockSteps(StageContext context) {
    stage = context.stage();
    tables = context.tables();
    running = context.running();
    nodes = running.nodes();
    regimes = context.regimes();
    progress = context.progress();
    onBlock = context.onBlock();
    workload = context.workload();
  }

  /** From now on this goes wrong in blocks. */
  void disturb(Disturbance by) {
    disturbance = by;
  }

  /**
   * @param cold whether each block begins with nothing cached
   */
  void run(Step.Blocks step, boolean cold) throws TimeoutException {
    Repetition each = step.repetition();
    for (int repeat = -each.warmUps(); repeat < each.repeats(); repeat++) {
      run(step, repeat, cold);
    }
  }

  /** One repeat, below 0 for a warm-up. */
  void run(Step.Blocks step, int repeat, boolean cold) throws TimeoutException {
    for (ExperimentArm arm :
        StageRun.alternating(step.of(stage.arms()), Math.floorMod(repeat, 2))) {
      TableRun table = run(arm.table());
      arm.routing().apply(running);
      fill(step, arm, table, repeat);
      if (cold) {
        regimes.lift();
      }
      regimes.apply(step.regime(), cacheBasis(step.regime(), table));
      if (disturbance.hasSlowNode()) {
        regimes.slow(disturbance);
      }
      leadIn(step, arm, table, repeat);
      BlockResult block = measureDecided(step, arm, table, repeat);
      if (repeat >= 0) {
        onBlock.accept(block);
      }
    }
  }

  /** With the reasons of the levels that coordinators read at, where they decide about them. */
  private BlockResult measureDecided(
      Step.Blocks step, ExperimentArm arm, TableRun table, int repeat) throws TimeoutException {
    if (!arm.routing().decidesLevels()) {
      return measure(step, arm, table, repeat);
    }
    Decisions before = decisions(arm);
    BlockResult block = measure(step, arm, table, repeat);
    return block.plusCounters(decisions(arm).since(before).counters());
  }

  private Decisions decisions(ExperimentArm arm) {
    CqlSession session = running.session();
    return Decisions.of(session, session.getMetadata().getNodes().values(), arm.table().ref());
  }

  private BlockResult measure(Step.Blocks step, ExperimentArm arm, TableRun table, int repeat)
      throws TimeoutException {
    String label =
        repeat < 0
            ? "%s %s warm-up".formatted(arm.name(), step.phase())
            : "%s %s %d".formatted(arm.name(), step.phase(), repeat + 1);
    int operations = step.repetition().operations();
    long begun = System.nanoTime();
    BlockResult block;
    try (NodePauses pauses = disturbance.hasPauses() ? pauses(step, repeat) : null) {
      block =
          table.run(
              arm.name(),
              step.phase(),
              repeat,
              phase(step, arm, step.mix(), operations, seed(workload, repeat)),
              progress.step(label, operations));
    }
    return step.operationsPerSecond() == 0 ? block : atRate(step, arm, block, begun);
  }

  /** With what a load below saturation tells. */
  private BlockResult atRate(Step.Blocks step, ExperimentArm arm, BlockResult block, long begun) {
    BlockResult offered =
        block.plusCounters(Map.of(Counters.OFFERED_PER_SECOND, (long) step.operationsPerSecond()));
    return arm.routing().choosesNearest() && nodes.areLocal()
        ? offered.plusCounters(ReplicaSwitches.since(running.session(), begun))
        : offered;
  }

  private void fill(Step.Blocks step, ExperimentArm arm, TableRun table, int repeat) {
    int operations = step.repetition().fill();
    Optional<OperationMix> reads = step.mix().withoutWrites();
    if (operations == 0 || reads.isEmpty()) {
      return;
    }
    regimes.apply(step.regime().atFullDiskSpeed(), cacheBasis(step.regime(), table));
    long seed = seed(workload, repeat) + FILL_SEED;
    table.fill(
        new Phase(reads.get(), operations, step.levels(), arm.routing().client(), 0, seed),
        progress.step("%s %s fills its cache".formatted(arm.name(), step.phase()), operations));
  }

  private void leadIn(Step.Blocks step, ExperimentArm arm, TableRun table, int repeat) {
    int operations = step.repetition().leadIn();
    Optional<OperationMix> reads = step.mix().withoutWrites();
    if (operations > 0 && reads.isPresent()) {
      table.fill(
          phase(step, arm, reads.get(), operations, seed(workload, repeat) + LEAD_IN_SEED),
          progress.step("%s %s lead-in".formatted(arm.name(), step.phase()), operations));
    }
  }

  /** The same for every arm of a repeat. */
  private NodePauses pauses(Step.Blocks step, int repeat) {
    long seed = seed(workload, repeat) * 31 + step.phase().hashCode();
    return NodePauses.start(disturbance, nodes.local(), seed);
  }

  private TableProbe cacheBasis(Regime regime, TableRun table) {
    return (regime.isOfFirstTable() ? run(stage.tables().get(0)) : table).probe();
  }

  /** The same keys in the same order for every arm of a repeat. */
  private Phase phase(
      Step.Blocks step, ExperimentArm arm, OperationMix mix, int operations, long seed) {
    return new Phase(
        mix,
        operations,
        step.levels(),
        arm.routing().client(),
        step.operationsPerSecond() > 0
            ? step.operationsPerSecond()
            : workload.shape().operationsPerSecond(),
        seed);
  }

  /** Of a repeat. */
  static long seed(WorkloadSpec workload, int repeat) {
    return workload.seed() * 31 + repeat;
  }

  private TableRun run(LabTable table) {
    return Objects.requireNonNull(tables.get(table.name()), table.name());
  }
}

package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.ReceivedStreams;
import io.counterpart.lab.measure.StreamedBytes;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.OperationMix;
import io.counterpart.lab.workload.Phase;
import io.counterpart.recovery.StockRecovery;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Reads a table during its full repair on one node. */
final class RepairSteps {
  private final Stage stage;
  private final Map<String, TableRun> tables;
  private final RunningLab running;
  private final ConnectedNodes nodes;
  private final RegimeControl regimes;
  private final Progress progress;
  private final Consumer<BlockResult> onBlock;
  private final long seed;

  RepairSteps(StageContext context) {
    stage = context.stage();
    tables = context.tables();
    running = context.running();
    nodes = running.nodes();
    regimes = context.regimes();
    progress = context.progress();
    onBlock = context.onBlock();
    seed = context.workload().seed();
  }

  void take(Step.ReadsUnderRepair step) throws InterruptedException, TimeoutException {
    for (ExperimentArm arm : stage.arms()) {
      if (arm.routing() == step.routing()) {
        TableRun table = Objects.requireNonNull(tables.get(arm.table().name()), arm.table().name());
        arm.routing().apply(running);
        regimes.apply(step.regime(), table.probe());
        onBlock.accept(readWhileRepairing(step, arm, table));
        table.awaitPause();
      }
    }
  }

  private BlockResult readWhileRepairing(
      Step.ReadsUnderRepair step, ExperimentArm arm, TableRun table)
      throws InterruptedException, TimeoutException {
    Node node = nodes.all().get(step.node() - 1);
    ReceivedStreams streams = new ReceivedStreams(nodes, node);
    StockRecovery recovery = new StockRecovery(nodes.jmx(node));
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try {
      Future<StockRecovery.Took> repair =
          caller.submit(() -> recovery.repair(arm.table().ref().keyspace()));
      BlockResult reads =
          table.run(
              arm.name(),
              step.phase(),
              0,
              new Phase(
                  OperationMix.READS,
                  step.mostReads(),
                  step.levels(),
                  step.routing().client(),
                  0,
                  seed),
              progress.step("%s %s".formatted(arm.name(), step.phase()), 0),
              repair::isDone);
      StockRecovery.Took took = repair.get();
      StreamedBytes received = streams.soFar();
      return reads.withParts(
          Map.of(
              BlockResult.MERKLE, took.quietSeconds(), BlockResult.STREAM, took.streamingSeconds()),
          Map.of(
              BlockResult.WHOLE,
              received.wholeBytes(),
              BlockResult.SECTIONS,
              received.partialBytes()));
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "repair of %s under reads: %s".formatted(arm.table().name(), e.getCause()), e);
    } finally {
      caller.shutdownNow();
    }
  }
}

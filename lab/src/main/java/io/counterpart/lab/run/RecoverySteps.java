package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.lab.check.AgreementCheck;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.failure.Outage;
import io.counterpart.lab.failure.RecoveryWarmUp;
import io.counterpart.lab.failure.TableRecovery;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.plan.RecoveryArm;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.recovery.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Wipes nodes and restores them, table after table, each alone. At the end of each step's last
 * repeat every row is read from all replicas at once, so that a row that the restored node lacks is
 * found.
 */
final class RecoverySteps {
  private static final int WARM_UP_REPAIRS = 3;

  private final Stage stage;
  private final Map<String, TableRun> tables;
  private final RunningLab running;
  private final ConnectedNodes nodes;
  private final RegimeControl regimes;
  private final Progress progress;
  private final Consumer<BlockResult> onBlock;
  private final long seed;
  private int outages;
  private int steps;

  RecoverySteps(StageContext context) {
    stage = context.stage();
    tables = context.tables();
    running = context.running();
    nodes = running.nodes();
    regimes = context.regimes();
    progress = context.progress();
    onBlock = context.onBlock();
    seed = context.workload().seed();
  }

  void take(Step.Recover step) throws InterruptedException, TimeoutException {
    if (steps == 0) {
      running.tables(nodes.all().size()).keepRepairHistoryEverywhere();
    }
    List<LabTable> toWarmUp = NodeWarmUp.isWorthIt(stage) ? stage.tables() : List.of();
    try (RecoveryWarmUp warmUp =
        new RecoveryWarmUp(
            running, toWarmUp.stream().map(LabTable::arm).toList(), step.phase(), seed)) {
      for (int repeat = 0; repeat < step.repeats(); repeat++) {
        for (List<RecoveryArm> round : step.rounds(stage.tables())) {
          Node node = wipe();
          warmUp.run(node, RecoveryWarmUp.REBUILDS, WARM_UP_REPAIRS);
          for (RecoveryArm arm : StageRun.alternating(round, repeat + steps)) {
            recover(step, arm, repeat, node);
          }
          if (repeat == step.repeats() - 1) {
            check(round);
          }
        }
      }
    }
    steps++;
  }

  private Node wipe() {
    Node node = Outage.victim(nodes, outages++);
    progress.step("%s wiped".formatted(node), 0);
    regimes.lift();
    Outage outage = Outage.of(nodes, node);
    outage.wipe();
    outage.end();
    regimes.joinAgain(node);
    return node;
  }

  private void recover(Step.Recover step, RecoveryArm arm, int repeat, Node node)
      throws InterruptedException, TimeoutException {
    progress.step("%s %s %d".formatted(arm.name(), step.phase(), repeat + 1), 0);
    TableRun table = run(arm.table());
    // lifted in between, so that each begins with nothing cached
    regimes.apply(step.regime(), table.probe());
    TableRecovery.Outcome outcome = new TableRecovery(nodes, node).run(arm.method(), table.probe());
    regimes.lift();
    onBlock.accept(
        new BlockResult(
                arm.name(), step.phase(), repeat, 0, 0, outcome.seconds(), Map.of(), outcome.cost())
            .withParts(outcome.secondsByPart(), outcome.bytesReceived()));
    if (outcome.verdict() != Verdict.IN_SYNC) {
      long differs = outcome.verdict() == Verdict.DIFFERENT ? 1 : 0;
      table.add(
          new CheckOutcome(
              0,
              differs,
              0,
              1 - differs,
              List.of("%s after its recovery: %s".formatted(arm.name(), outcome.verdict()))));
    }
    // what it left to compact must not run beside the next
    table.settle();
  }

  private void check(List<RecoveryArm> round) {
    for (RecoveryArm arm : round) {
      TableRun table = run(arm.table());
      AgreementCheck.Outcome found =
          new AgreementCheck(nodes)
              .run(table.client(), progress.step(arm.name() + " check", table.client().rows()));
      table.add(found.rows());
      if (found.disagreements() > 0) {
        String example =
            "%s: %d copies of rows differed from others after its recovery"
                .formatted(arm.name(), found.disagreements());
        table.add(new CheckOutcome(0, found.disagreements(), 0, 0, List.of(example)));
      }
    }
  }

  private TableRun run(LabTable table) {
    return Objects.requireNonNull(tables.get(table.name()), table.name());
  }
}

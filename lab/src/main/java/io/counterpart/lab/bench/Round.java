package io.counterpart.lab.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import io.counterpart.lab.check.AgreementCheck;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.ReadBack;
import io.counterpart.lab.failure.Outage;
import io.counterpart.lab.failure.RecoveryMethod;
import io.counterpart.lab.failure.RecoveryWarmUp;
import io.counterpart.lab.failure.TableRecovery;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.measure.Drain;
import io.counterpart.lab.measure.TableProbe;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.setup.TableSetup;
import io.counterpart.lab.workload.TableRef;
import io.counterpart.lab.workload.WorkloadSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * One round: every arm is loaded in turn, one node is wiped, every arm is recovered in turn, every
 * row is checked.
 */
final class Round {
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(5);

  private final RunningLab running;
  private final CqlSession session;
  private final ConnectedNodes nodes;
  private final LoadPlan plan;
  private final RoundOptions options;
  private final Progress progress;
  private final TableSetup tables;

  Round(RunningLab running, LoadPlan plan, RoundOptions options, Progress progress) {
    this.running = running;
    this.plan = plan;
    this.options = options;
    this.progress = progress;
    session = running.session();
    nodes = running.nodes();
    tables = running.tables();
  }

  /**
   * What a round found.
   *
   * @param blocks phases of each arm, in the order in which the arms ran
   * @param check of every row, wrong values met in reads included
   */
  record Outcome(List<BlockResult> blocks, CheckOutcome check) {
    Map<String, ArmFigures> arms() {
      return ArmFigures.byArm(blocks);
    }
  }

  /**
   * Runs all arms.
   *
   * @param number 0-based; part of the tables' names
   */
  Outcome run(int number, List<Arm> arms, Node victim)
      throws InterruptedException, TimeoutException {
    String name = "r" + number;
    List<ArmRun> runs = new ArrayList<>();
    List<LoadMeasurement> loads = new ArrayList<>();
    CheckOutcome tally = CheckOutcome.NONE;
    for (Arm arm : arms) {
      ArmRun run = create(arm, name, plan);
      runs.add(run);
      LoadMeasurement load = run.load(progress);
      loads.add(load);
      options.loaded().accept(arm.name(), load);
    }
    if (options.checkedBeforeWipe()) {
      for (ArmRun run : runs) {
        tally = tally.plus(readBack(run));
      }
    }
    List<Arm> toWarmUp = options.warmUp().isEmpty() ? List.of() : arms;
    try (RecoveryWarmUp warmUps =
        new RecoveryWarmUp(running, toWarmUp, name, plan.workload().seed())) {
      progress.say(DemoSchedule.WIPE);
      Outage outage = Outage.of(nodes, victim);
      outage.wipe();
      outage.end();
      warmUps.run(victim, options.warmUp().map(WarmUp::rebuilds).orElse(0), 0);
    }
    List<BlockResult> blocks = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      ArmRun run = runs.get(i);
      progress.step("recover " + run.arm().name(), 0);
      TableRecovery.Outcome rebuilt = rebuild(victim, run.table());
      AgreementCheck.Outcome check = check(run);
      tally = tally.plus(check.rows()).plusWrong(run.wrongReads());
      blocks.addAll(
          loads
              .get(i)
              .blocks(
                  run.arm().name(),
                  number,
                  rebuilt,
                  plan.workload().userBytes(),
                  check.disagreements()));
    }
    runs.forEach(run -> tables.drop(run.table()));
    tally.examples().forEach(progress::say);
    return new Outcome(List.copyOf(blocks), tally);
  }

  /** Loads for nothing but warm nodes, where the measurement is large enough to need it. */
  void warmUp(List<Arm> arms) throws TimeoutException {
    if (options.warmUp().isEmpty()) {
      return;
    }
    WarmUp warmUp = options.warmUp().get();
    progress.say("warming the nodes up: what they write and read until then is not measured");
    for (Arm arm : warmUp.arms(arms)) {
      ArmRun run = create(arm, "warmup", warmUp.plan());
      if (warmUp.isBrief()) {
        WorkloadSpec few = warmUp.plan().workload();
        run.loadUndrained(progress.step("warm up " + arm.name(), few.rows() + few.updates()));
      } else {
        run.load(progress);
      }
      tables.drop(run.table());
    }
  }

  /** Lets compactions end afterwards, so that they do not slow the next arm's recovery. */
  private TableRecovery.Outcome rebuild(Node victim, TableRef table)
      throws InterruptedException, TimeoutException {
    TableProbe probe = new TableProbe(nodes, table);
    TableRecovery.Outcome outcome =
        new TableRecovery(nodes, victim).run(RecoveryMethod.REBUILD, probe);
    new Drain(probe, SETTLE_LIMIT).await();
    return outcome;
  }

  private ArmRun create(Arm arm, String name, LoadPlan load) {
    TableRef table = TableSetup.table(arm, name);
    tables.drop(table);
    tables.create(table, arm);
    return new ArmRun(arm, table, load, session, nodes);
  }

  private CheckOutcome readBack(ArmRun run) {
    return ReadBack.of(
        run.client(),
        DefaultConsistencyLevel.QUORUM,
        progress.step("check every value of " + run.arm().name(), rows()));
  }

  private AgreementCheck.Outcome check(ArmRun run) {
    return new AgreementCheck(nodes)
        .run(run.client(), progress.step("check every value of " + run.arm().name(), rows()));
  }

  private long rows() {
    WorkloadSpec workload = plan.workload();
    return workload.rows();
  }
}

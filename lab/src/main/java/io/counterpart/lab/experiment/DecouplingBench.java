package io.counterpart.lab.experiment;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.failure.Outage;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.BenchResult;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Decoupled replicas side by side with stock compaction: the same rows, the same cluster, arm after
 * arm, rounds interleaved.
 *
 * <p>Paper: DEPART §5.2 (write cost; recovery: Exp#6), at a model's scale: memtables and sstables
 * are as small against the data of a node as they are on a large node.
 */
public final class DecouplingBench {
  private final BenchPlan plan;
  private final LoadPlan load;
  private final LabCluster lab;
  private final Progress progress;

  /** A benchmark that has not started anything yet. */
  public DecouplingBench(BenchPlan plan, LabCluster lab, Progress progress) {
    this.plan = plan;
    load = new LoadPlan(WorkloadSpec.of(plan.rows(), plan.updates(), plan.seed()), plan.reads());
    this.lab = lab;
    this.progress = progress;
  }

  /**
   * Runs all rounds on a cluster of its own, which it stops afterwards.
   *
   * @throws TimeoutException if an arm's compaction does not come to rest
   */
  public BenchResult run() throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    try (RunningLab running = RunningLab.start(lab, progress)) {
      Round round = new Round(running, load, RoundOptions.measured(load), progress);
      round.warmUp(plan.arms());
      List<Round.Outcome> rounds = new ArrayList<>();
      for (int i = 0; i < plan.rounds(); i++) {
        progress.say("round %d of %d".formatted(i + 1, plan.rounds()));
        rounds.add(round.run("r" + i, plan.order(i), Outage.victim(running.nodes(), i)));
      }
      return result(rounds, running, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private BenchResult result(List<Round.Outcome> rounds, RunningLab running, Duration time) {
    List<Map<String, ArmFigures>> perRound = rounds.stream().map(Round.Outcome::arms).toList();
    Map<String, ArmFigures> arms = new LinkedHashMap<>();
    for (Arm arm : plan.arms()) {
      arms.put(
          arm.name(),
          ArmFigures.median(
              perRound.stream()
                  .flatMap(round -> Stream.ofNullable(round.get(arm.name())))
                  .toList()));
    }
    Map<String, Object> config = Environment.describe(load.workload(), running, plan.arms());
    config.put("readsPerBurst", load.reads());
    config.put("rounds", plan.rounds());
    CheckOutcome check =
        rounds.stream().map(Round.Outcome::check).reduce(CheckOutcome.NONE, CheckOutcome::plus);
    return new BenchResult(
        DecouplingFigures.of(perRound),
        arms,
        check.lost(),
        check.wrong(),
        config,
        check.unread(),
        perRound,
        time.toSeconds());
  }
}

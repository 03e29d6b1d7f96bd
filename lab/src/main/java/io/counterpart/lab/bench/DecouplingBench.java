package io.counterpart.lab.bench;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.failure.Outage;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Decoupled replicas side by side with stock compaction: the same rows, the same cluster, arm after
 * arm, rounds interleaved.
 *
 * <p>Paper: DEPART §5.2 (write cost; recovery: Exp#6), at a model's scale: memtables and sstables
 * are as small relative to a node's data as on a large node.
 */
public final class DecouplingBench {
  /** Name of the experiment in results. */
  public static final String NAME = "decoupling";

  private final BenchPlan plan;
  private final String scale;
  private final LoadPlan load;
  private final LabCluster lab;
  private final Progress progress;

  /**
   * A benchmark that has not started anything yet.
   *
   * @param scale name of the scale that the plan is of, for the result
   */
  public DecouplingBench(BenchPlan plan, String scale, LabCluster lab, Progress progress) {
    this.plan = plan;
    this.scale = scale;
    load = new LoadPlan(WorkloadSpec.of(plan.rows(), plan.updates(), plan.seed()), plan.reads());
    this.lab = lab;
    this.progress = progress;
  }

  /**
   * Runs all rounds on a cluster of its own, which it stops afterwards.
   *
   * @throws TimeoutException if an arm's compaction does not come to rest
   */
  public LabResult run() throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    try (RunningLab running = RunningLab.start(lab, progress)) {
      Round round = new Round(running, load, RoundOptions.measured(load), progress);
      round.warmUp(plan.arms());
      List<Round.Outcome> rounds = new ArrayList<>();
      for (int i = 0; i < plan.rounds(); i++) {
        progress.say("round %d of %d".formatted(i + 1, plan.rounds()));
        rounds.add(round.run(i, plan.order(i), Outage.victim(running.nodes(), i)));
      }
      return result(rounds, running, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private LabResult result(List<Round.Outcome> rounds, RunningLab running, Duration time) {
    Map<String, Object> config = Environment.describe(load.workload(), running, plan.arms());
    config.put("readsPerBurst", load.reads());
    config.put("rounds", plan.rounds());
    CheckOutcome check =
        rounds.stream().map(Round.Outcome::check).reduce(CheckOutcome.NONE, CheckOutcome::plus);
    return new LabResult(
        LabResult.SCHEMA,
        NAME,
        "DEPART §5.2",
        "Decoupled replicas beside stock compaction: cost of writes, recovery",
        scale,
        config,
        rounds.stream().flatMap(round -> round.blocks().stream()).toList(),
        List.of(),
        DecouplingFigures.of(rounds.stream().map(Round.Outcome::arms).toList(), scale),
        check.checked(),
        check.lost(),
        check.wrong(),
        check.unread(),
        time.toSeconds());
  }
}

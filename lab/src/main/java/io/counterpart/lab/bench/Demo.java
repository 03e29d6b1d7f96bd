package io.counterpart.lab.bench;

import io.counterpart.lab.failure.Outage;
import io.counterpart.lab.result.DemoSummary;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.Environment;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The demonstration of decoupled replicas: the same rows in three tables that differ in compaction,
 * every value checked, a node wiped and recovered, every value checked again.
 */
public final class Demo {
  private static final int READS = 3_000;

  private final DemoPlan plan;
  private final LabCluster lab;
  private final Progress progress;

  /** A demonstration that has not started anything yet. */
  public Demo(DemoPlan plan, LabCluster lab, Progress progress) {
    this.plan = plan;
    this.lab = lab;
    this.progress = progress;
  }

  /**
   * Runs on a cluster of its own, which it stops afterwards.
   *
   * @throws TimeoutException if a table's compaction does not come to rest
   */
  public DemoSummary run() throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    LabCluster cluster = lab.forDemonstration(plan.nodes());
    try (RunningLab running = RunningLab.start(cluster, progress)) {
      WorkloadSpec workload = WorkloadSpec.of(plan.rows(), plan.updates(), plan.seed());
      LoadPlan load = new LoadPlan(workload, READS);
      RoundOptions options = RoundOptions.shown(load, new FirstComparison(progress)::loaded);
      Round round = new Round(running, load, options, progress);
      round.warmUp(plan.arms());
      Round.Outcome outcome = round.run(0, plan.arms(), Outage.victim(running.nodes(), 0));
      Map<String, Object> config = Environment.describe(workload, running, plan.arms());
      config.put("readsPerBurst", READS);
      config.put("jvmOptions", cluster.jvmOptions());
      return new DemoSummary(
          outcome.arms(),
          outcome.check().lost(),
          outcome.check().wrong(),
          config,
          outcome.check().unread(),
          outcome.check().checked(),
          Duration.ofNanos(System.nanoTime() - start).toSeconds(),
          null);
    }
  }

  /** The arms of the demonstration. */
  public static List<Arm> arms() {
    return List.of(Arm.DECOUPLED_T4, Arm.LCS, Arm.UCS_T4).stream()
        .flatMap(name -> Arm.named(name).stream())
        .toList();
  }
}

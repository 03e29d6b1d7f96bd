package io.counterpart.lab.experiment;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.BenchResult;
import io.counterpart.lab.workload.LabSession;
import io.counterpart.lab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * Decoupled replicas side by side with stock compaction: the same rows, the same cluster, arm after
 * arm, rounds interleaved.
 *
 * <p>Paper: DEPART §5.2 (write cost; recovery: Exp#6), at a model's scale: memtables and sstables
 * are as small against the data of a node as they are on a large node.
 */
public final class DecouplingBench {
  private static final int WARM_UP_DIVISOR = 10;
  private static final int MIN_WARM_UP_ROWS = 1_000;

  private final BenchPlan plan;
  private final LabCluster lab;
  private final Progress progress;

  /** A benchmark that has not started anything yet. */
  public DecouplingBench(BenchPlan plan, LabCluster lab, Progress progress) {
    this.plan = plan;
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
    progress.say("starting %d Cassandra nodes".formatted(LabCluster.NODES));
    try (ThrowawayCluster cluster = ThrowawayCluster.start(lab);
        ConnectedNodes nodes = new ConnectedNodes(cluster.nodes());
        CqlSession session = LabSession.open(cluster.nodes())) {
      warmUp(session, nodes);
      List<Round.Outcome> rounds = new ArrayList<>();
      for (int round = 0; round < plan.rounds(); round++) {
        progress.say("round %d of %d".formatted(round + 1, plan.rounds()));
        rounds.add(
            new Round(session, nodes, load(plan.rows(), plan.updates()), progress)
                .run(
                    "r" + round,
                    plan.order(round),
                    Recovery.victim(cluster.nodes(), round),
                    false));
      }
      return result(rounds, session, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private void warmUp(CqlSession session, ConnectedNodes nodes) throws TimeoutException {
    int rows = Math.max(MIN_WARM_UP_ROWS, plan.rows() / WARM_UP_DIVISOR);
    Round round = new Round(session, nodes, load(rows, rows / 3), progress);
    // arms of one strategy run the same code
    Set<String> warm = new HashSet<>();
    for (Arm arm : plan.arms()) {
      if (warm.add(arm.strategy())) {
        round.warmUp(arm);
      }
    }
  }

  private LoadPlan load(int rows, int updates) {
    return new LoadPlan(WorkloadSpec.of(rows, updates, plan.seed()), plan.reads());
  }

  private BenchResult result(List<Round.Outcome> rounds, CqlSession session, Duration time) {
    List<Map<String, ArmFigures>> perRound = rounds.stream().map(Round.Outcome::arms).toList();
    Map<String, ArmFigures> arms = new LinkedHashMap<>();
    for (Arm arm : plan.arms()) {
      arms.put(
          arm.name(),
          ArmFigures.median(
              perRound.stream()
                  .map(round -> Objects.requireNonNull(round.get(arm.name())))
                  .toList()));
    }
    LoadPlan load = load(plan.rows(), plan.updates());
    Map<String, Object> config =
        Environment.describe(load.workload(), load.reads(), plan.arms(), session);
    config.put("rounds", plan.rounds());
    return new BenchResult(
        DecouplingFigures.of(perRound),
        arms,
        rounds.stream().mapToLong(Round.Outcome::lost).sum(),
        rounds.stream().mapToLong(Round.Outcome::wrong).sum(),
        config,
        rounds.stream().mapToLong(Round.Outcome::unread).sum(),
        perRound,
        time.toSeconds());
  }
}

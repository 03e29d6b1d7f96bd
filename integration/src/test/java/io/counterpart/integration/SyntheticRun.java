package io.counterpart.integration;

import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.live.LivePage;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.RingArc;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.run.RunOutline;
import io.counterpart.lab.setup.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Reports an invented run to a live page, so that a test needs no cluster. */
final class SyntheticRun {
  static final int NODES = 5;
  static final int ARCS = 40;
  static final int REPLICAS = 3;
  static final int SAMPLES_PER_BLOCK = 12;
  private static final long SEED = 7;

  private final Experiment experiment = Experiments.named("depart-exp4", LabScale.SMOKE);
  private final Random random = new Random(SEED);
  private final LivePage page;
  private final Progress progress;
  private double second = 8;
  private int blocks;

  SyntheticRun(LivePage page) {
    this.page = page;
    this.progress = page.with(Progress.silent());
  }

  Experiment experiment() {
    return experiment;
  }

  void start() {
    progress.say("starting %d Cassandra nodes".formatted(NODES));
    page.started(RunOutline.of(experiment, RingSummary.of(ring(SEED))));
  }

  /** One block of every arm. */
  void round(String phase) {
    for (ExperimentArm arm : experiment.stages().get(0).arms()) {
      LongConsumer step = progress.step("%s %s 1".formatted(arm.name(), phase), 20_000);
      for (int i = 1; i <= SAMPLES_PER_BLOCK; i++) {
        second++;
        step.accept(i * 20_000L / SAMPLES_PER_BLOCK - 500);
        page.sampled(
            new Sample(
                second,
                arm.name(),
                phase,
                9000 + random.nextInt(6000),
                random.nextInt(12),
                i * 1_000_000L,
                20_000_000L + random.nextInt(20_000_000),
                Map.of()));
      }
      page.measured(block(arm.name(), phase));
      blocks++;
    }
  }

  int blocks() {
    return blocks;
  }

  void finish(long lost) {
    page.finished(
        new LabResult(
            LabResult.SCHEMA,
            experiment.name(),
            experiment.paper(),
            experiment.title(),
            "smoke",
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            24_000,
            lost,
            0,
            0,
            312));
  }

  private BlockResult block(String arm, String phase) {
    return new BlockResult(
        arm,
        phase,
        0,
        20_000,
        0,
        1.6,
        Map.of(
            "read", new LatencySummary(10_000, 840, 5200, 9000, 20_000, ""),
            "update", new LatencySummary(10_000, 610, 4100, 9000, 20_000, "")),
        new NodeCost(7.4, 0, 0, 0, 0, 1.2, 0, Map.of(), 0.9));
  }

  /** Arcs of random width, dealt out in turn: as many replica sets as nodes. */
  static List<RingArc> ring(long seed) {
    double[] bounds = new Random(seed).doubles(ARCS).sorted().toArray();
    List<RingArc> arcs = new ArrayList<>();
    for (int i = 0; i < ARCS; i++) {
      int first = i % NODES;
      arcs.add(
          new RingArc(
              bounds[i],
              bounds[(i + 1) % ARCS],
              IntStream.range(0, REPLICAS)
                  .mapToObj(replica -> "127.0.0." + ((first + replica) % NODES + 1))
                  .toList()));
    }
    return arcs;
  }
}

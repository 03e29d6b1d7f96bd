package io.counterpart.integration;

import io.counterpart.lab.live.LivePage;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.run.ArmServers;
import io.counterpart.lab.run.RunOutline;
import io.counterpart.lab.setup.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Reports an invented run of the memory tier to a live page. */
final class SyntheticTierRun {
  static final List<String> ARMS = List.of("vanilla", "ccmemcached", "echash");
  static final int RINGS = 5;
  static final int SERVERS = 45;
  static final int SPARES = 5;
  private static final int SAMPLES_PER_BLOCK = 12;
  private static final double MIB = 1 << 20;

  private final Random random = new Random(11);
  private final LivePage page;
  private final Progress progress;
  private double second = 3;

  SyntheticTierRun(LivePage page) {
    this.page = page;
    progress = page.with(Progress.silent());
  }

  void start() {
    page.started(
        new RunOutline(
            "echash-exp1",
            "ECHash §5.3",
            "Requests to the memory tier",
            ARMS,
            60,
            SampledMeasure.OF_TIERS,
            null));
  }

  /** A block of requests of every arm. */
  void requests() {
    for (String arm : ARMS) {
      page.served(servers(arm, "up"));
      LongConsumer step = progress.step(arm + " read_95_64 1", 200_000);
      for (int i = 1; i <= SAMPLES_PER_BLOCK; i++) {
        step.accept(i * 200_000L / SAMPLES_PER_BLOCK);
        sample(
            arm,
            "read_95_64",
            90_000 + random.nextInt(30_000),
            Map.of(
                SampledMeasure.P99_MICROS,
                300.0 + random.nextInt(200),
                SampledMeasure.HIT_RATIO,
                1 - random.nextInt(20) / 100.0,
                SampledMeasure.SERVER_BYTES,
                (180 + i) * MIB,
                SampledMeasure.JOURNAL_BYTES,
                arm.equals("vanilla") ? 0 : random.nextInt(40) * MIB / 10,
                SampledMeasure.OPEN_STRIPES,
                arm.equals("vanilla") ? 0.0 : random.nextInt(400)));
      }
      page.measured(block(arm, "read_95_64", Map.of()));
    }
  }

  /** A repair whose server is not whole yet. */
  void repair() {
    page.served(servers("echash", "restoring"));
    for (int i = SAMPLES_PER_BLOCK; i > 0; i--) {
      sample(
          "echash",
          "repair_5_3",
          4_000 + random.nextInt(500),
          Map.of(
              SampledMeasure.RESTORED_BYTES,
              30 * MIB + random.nextInt(1 << 22),
              SampledMeasure.STRIPES_TO_RESTORE,
              i * 900.0,
              SampledMeasure.SERVERS_NOT_UP,
              1.0));
    }
    page.measured(block("echash", "repair_5_3", Map.of(Counters.BYTES, 64_000_000L)));
  }

  private void sample(String arm, String phase, double perSecond, Map<String, Double> measures) {
    second++;
    page.sampled(Sample.ofTier(second, arm, phase, perSecond, measures));
  }

  private static BlockResult block(String arm, String phase, Map<String, Long> counters) {
    return new BlockResult(
            arm,
            phase,
            0,
            200_000,
            0,
            2,
            Map.of("read", new LatencySummary(10_000, 240, 910, 1_000, 20_000, "")),
            NodeCost.ofCpu(Duration.ofMillis(900)))
        .withCounters(counters);
  }

  private static ArmServers servers(String arm, String ofFirst) {
    boolean hasRings = !arm.equals("vanilla");
    return new ArmServers(
        arm,
        IntStream.range(0, SERVERS + SPARES)
            .mapToObj(
                i ->
                    new ArmServers.Server(
                        "127.0.0.1:" + (20_000 + i),
                        hasRings && i < SERVERS ? i % RINGS : -1,
                        i == 0 ? ofFirst : i < SERVERS ? ArmServers.UP : ArmServers.SPARE))
            .toList());
  }
}

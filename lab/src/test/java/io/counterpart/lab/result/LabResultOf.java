package io.counterpart.lab.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** Results made up for tests. */
public final class LabResultOf {
  private LabResultOf() {}

  /** Two arms with the given number of blocks; "lcs" at 100 operations a second, noise 5 %. */
  public static LabResult blocks(int repeats, double decoupledOpsPerSecond, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<BlockResult> blocks = new ArrayList<>();
    for (int repeat = 0; repeat < repeats; repeat++) {
      blocks.add(block("lcs", "read", repeat, 100, random));
      blocks.add(block("decoupled", "read", repeat, decoupledOpsPerSecond, random));
    }
    return result("depart-exp1", config(), blocks);
  }

  /** Figures alone. */
  public static LabResult withFigures(String experiment, List<LabFigure> figures) {
    return result(experiment, config(), List.of(), figures);
  }

  public static LabResult result(
      String experiment, Map<String, Object> config, List<BlockResult> blocks) {
    LabFigure figure =
        new LabFigure("f", 2, 1.5, 2.5, "ratio", List.of("a", "b"), "smoke", 1.5, true, "", "more");
    return result(experiment, config, blocks, List.of(figure));
  }

  private static LabResult result(
      String experiment,
      Map<String, Object> config,
      List<BlockResult> blocks,
      List<LabFigure> figures) {
    return new LabResult(
        1, experiment, "§5", "Title", "smoke", config, blocks, List.of(), figures, 9, 0, 0, 0, 7);
  }

  public static Map<String, Object> config() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("seed", 1);
    config.put("cores", 2);
    config.put("counterpart", "0.1.0");
    config.put("yaml", Map.of("concurrent_reads", 4, "dynamic_snitch", false));
    return config;
  }

  public static BlockResult block(
      String arm, String phase, int repeat, double opsPerSecond, SplittableRandom random) {
    Histogram micros = new Histogram(600_000_000L, 3);
    for (int i = 0; i < 100; i++) {
      micros.recordValue(random.nextLong(1000, 100_000));
    }
    double seconds = 100 / (opsPerSecond * random.nextDouble(0.95, 1.05));
    return new BlockResult(
        arm,
        phase,
        repeat,
        100,
        0,
        seconds,
        Map.of("read", LatencySummary.of(micros)),
        new NodeCost(1.5, 0, 0, 0, 2_000_000, 1, 0, Map.of(), 0));
  }
}

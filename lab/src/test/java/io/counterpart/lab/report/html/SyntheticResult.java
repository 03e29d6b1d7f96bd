package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * A result in the shape of a real one, made of a seed: a load with a drain, then reads and updates
 * at (2, 2), on stock and decoupled tables that differ in the number of runs.
 */
final class SyntheticResult {
  static final int ROWS = 10_000;
  static final int VALUE_BYTES = 1000;
  static final int REPLICAS = 3;

  private static final int REPEATS = 7;
  private static final long SEED = 7;
  // runs of the decoupled tables; more runs write faster and read slower
  private static final Map<String, Integer> RUNS =
      Map.of("decoupled_s1", 1, "decoupled_s10", 10, "decoupled_s20", 20);
  private static final List<String> TABLES =
      List.of("lcs", "ucs_t4", "decoupled_s1", "decoupled_s10", "decoupled_s20");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<BlockResult> blocks = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private double second;

  private SyntheticResult() {}

  static LabResult whole() {
    SyntheticResult made = new SyntheticResult();
    made.load();
    made.repeat("read_22", "read", 3_000);
    made.repeat("update_22", "update", 5_000);
    return result(made.blocks, made.samples, figures());
  }

  static LabResult result(List<BlockResult> blocks, List<Sample> samples, List<LabFigure> figures) {
    Map<String, Object> compaction = new LinkedHashMap<>();
    for (String table : TABLES) {
      compaction.put(
          table, RUNS.containsKey(table) ? Map.of("runs", "" + RUNS.get(table)) : Map.of());
    }
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("seed", SEED);
    config.put("nodes", 5);
    config.put("replicationFactor", REPLICAS);
    config.put("valueBytes", VALUE_BYTES);
    config.put("compaction", compaction);
    config.put("cassandra", "5.0.9");
    return new LabResult(
        LabResult.SCHEMA,
        "depart-exp8",
        "DEPART §5.3 Experiment 8, Table 1",
        "Reads against writes by the number of runs",
        "small",
        config,
        blocks,
        samples,
        figures,
        5L * ROWS,
        0,
        0,
        0,
        1900);
  }

  static LabFigure figure(double measured, double reach, boolean reached, String paper) {
    return new LabFigure(
        "exp8.reads_vs_lcs",
        measured,
        measured * 0.9,
        measured * 1.1,
        "ratio",
        List.of("decoupled_s20+pf", "lcs"),
        "small",
        reach,
        reached,
        paper,
        "more");
  }

  static LabFigure atMost(double measured, double reach, boolean reached) {
    return new LabFigure(
        "exp6.recovery_vs_repair",
        measured,
        measured,
        measured,
        "ratio",
        List.of("decoupled_t4+recover", "lcs+repair"),
        "small",
        reach,
        reached,
        "",
        "less",
        true);
  }

  static BlockResult block(String arm, String phase, int repeat, double opsPerSecond) {
    return block(arm, phase, repeat, opsPerSecond, Map.of(), cost(0, 0, Map.of()));
  }

  static BlockResult block(
      String arm,
      String phase,
      int repeat,
      double opsPerSecond,
      Map<String, LatencySummary> latencies,
      NodeCost cost) {
    return new BlockResult(arm, phase, repeat, 1000, 0, 1000 / opsPerSecond, latencies, cost);
  }

  static NodeCost cost(long flushed, long compacted, Map<String, Long> roles) {
    return new NodeCost(1.5, 4_000_000, 2_000_000, flushed, compacted, 1.2, 0.1, roles, 0.8);
  }

  static LatencySummary latencies(long... micros) {
    Histogram histogram = new Histogram(3);
    for (long value : micros) {
      histogram.recordValue(value);
    }
    return LatencySummary.of(histogram);
  }

  private void load() {
    for (int slice = 0; slice < 5; slice++) {
      for (String table : TABLES) {
        run(table, "load", slice, "insert", ROWS / 5, 4_000 * writeSpeed(table), 20);
      }
    }
    for (String table : TABLES) {
      second += 30;
      blocks.add(new BlockResult(table, "drain", 0, 0, 0, 30, Map.of(), written(table, 0, 0.6)));
    }
  }

  private void repeat(String phase, String kind, double opsPerSecond) {
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      for (String table : TABLES) {
        for (String arm : List.of(table, table + "+pf")) {
          double speed = kind.equals("read") ? readSpeed(arm) : writeSpeed(table);
          run(arm, phase, repeat, kind, 2_000, opsPerSecond * speed, 6);
        }
      }
    }
  }

  private void run(
      String arm,
      String phase,
      int repeat,
      String kind,
      int operations,
      double opsPerSecond,
      int seconds) {
    double throughput = opsPerSecond * random.nextDouble(0.85, 1.15);
    Histogram micros = new Histogram(3);
    for (int i = 0; i < operations; i++) {
      double slow = Math.pow(random.nextDouble(1e-5, 1), -0.45);
      micros.recordValue((long) (2e6 / opsPerSecond * slow));
    }
    for (int i = 0; i < seconds; i++) {
      second += 1.01;
      samples.add(
          new Sample(
              second,
              arm,
              phase,
              throughput * random.nextDouble(0.7, 1.3),
              kind.equals("read") ? 0 : random.nextInt(0, 12 + i),
              i * 1_000_000L,
              random.nextLong(20_000_000, 180_000_000),
              Map.of()));
    }
    second += 1.5;
    double compacted = kind.equals("read") ? 0 : 2;
    blocks.add(
        new BlockResult(
            arm,
            phase,
            repeat,
            operations,
            0,
            operations / throughput,
            Map.of(kind, LatencySummary.of(micros)),
            written(ArmStyle.table(arm), operations, compacted)));
  }

  private static NodeCost written(String table, int operations, double compactedTimes) {
    long user = (long) operations * VALUE_BYTES * REPLICAS;
    long base = Math.max(user, ROWS / 5 * (long) VALUE_BYTES);
    long compacted = (long) (base * compactedTimes * (table.equals("lcs") ? 2.5 : 1));
    Map<String, Long> roles = new LinkedHashMap<>();
    if (RUNS.containsKey(table)) {
      roles.put("flushedPrimary", user / 3);
      roles.put("flushedRedundant", user * 2 / 3);
      roles.put("primaryBatch", compacted / 6);
      roles.put("split", compacted / 3);
      roles.put("merged", compacted / (2 + RUNS.getOrDefault(table, 1)));
    }
    return cost(user, compacted, roles);
  }

  private static double writeSpeed(String table) {
    return RUNS.containsKey(table)
        ? 1.4 + 0.04 * RUNS.getOrDefault(table, 0)
        : table.equals("lcs") ? 1 : 1.3;
  }

  private static double readSpeed(String arm) {
    double routed = arm.endsWith("+pf") ? 1.5 : 1;
    int runs = RUNS.getOrDefault(ArmStyle.table(arm), 5);
    return routed * (2 - runs / 15.0);
  }

  private static List<LabFigure> figures() {
    return List.of(
        figure(2.7, 2.5, true, "2.43"),
        figure(1.2, 1.3, false, "1.4-2.4"),
        figure(0.4, 0.25, false, "0.46–0.62"),
        figure(1.6, 1.5, true, ""));
  }
}

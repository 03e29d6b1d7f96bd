package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.stats.Interval;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Tables of a memory tier experiment: operations and counters. Stateless. */
public final class TierTables {
  private static final double MB = 1e6;
  private static final Set<String> IN_PHASES =
      Set.of(Counters.BYTES, Counters.TRAFFIC_BYTES, Counters.PROCESS_CPU_MICROS);

  private static final Set<String> OF_TABLES =
      Set.of(
          Counters.LOCAL_READS,
          Counters.LOCAL_READ_MICROS,
          Counters.DISK_BYTES,
          Counters.SSTABLES,
          Counters.FILTER_BYTES);

  private TierTables() {}

  /** Whether blocks are of the memory tier. */
  public static boolean isOfTier(List<BlockResult> blocks) {
    return blocks.stream().anyMatch(block -> !OF_TABLES.containsAll(block.counters().keySet()));
  }

  /** Medians over the repeats; latencies of the repeats' merged histograms. */
  public static String phases(List<BlockResult> blocks) {
    Grid grid =
        new Grid(
            List.of(
                "phase and arm",
                "ops/s",
                "MB/s",
                "s",
                "p50 us",
                "p99 us",
                "failed",
                "traffic MB",
                "servers' CPU s",
                "own CPU s"));
    Repeats.byPhaseAndArm(blocks.stream())
        .forEach((name, repeats) -> grid.row(cells(name, repeats)));
    return grid.text();
  }

  /** What was counted besides, medians over the repeats; empty if nothing was. */
  public static String counters(List<BlockResult> blocks) {
    Grid grid = new Grid(List.of("phase and arm", "counted"));
    boolean any = false;
    for (Map.Entry<String, List<BlockResult>> entry :
        Repeats.byPhaseAndArm(blocks.stream()).entrySet()) {
      List<BlockResult> repeats = entry.getValue();
      String counted =
          names(repeats).stream()
              .filter(name -> !IN_PHASES.contains(name))
              .map(name -> name + " " + number("%.0f", median(repeats, name)))
              .collect(Collectors.joining("  "));
      if (!counted.isEmpty()) {
        any = true;
        grid.row(List.of(entry.getKey(), counted));
      }
    }
    return any ? grid.text() : "";
  }

  private static Set<String> names(List<BlockResult> repeats) {
    return repeats.stream()
        .flatMap(block -> block.counters().keySet().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static List<String> cells(String name, List<BlockResult> repeats) {
    Histogram latencies = BlockResult.mergedLatencies(repeats);
    boolean answered = latencies.getTotalCount() > 0;
    double bytes = Interval.median(repeats, BlockResult::bytesPerSecond);
    return List.of(
        name,
        number("%.0f", Interval.median(repeats, BlockResult::operationsPerSecond)),
        bytes == 0 ? "-" : number("%.1f", bytes / MB),
        number("%.3f", Interval.median(repeats, BlockResult::seconds)),
        answered ? String.valueOf(latencies.getValueAtPercentile(50)) : "-",
        answered ? String.valueOf(latencies.getValueAtPercentile(99)) : "-",
        String.valueOf(repeats.stream().mapToLong(BlockResult::failed).sum()),
        number("%.1f", median(repeats, Counters.TRAFFIC_BYTES) / MB),
        number("%.2f", Interval.median(repeats, block -> block.server().cpuSeconds())),
        number("%.2f", median(repeats, Counters.PROCESS_CPU_MICROS) / MB));
  }

  private static double median(List<BlockResult> repeats, String counter) {
    return Interval.median(repeats, block -> block.counter(counter));
  }
}

package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.stats.Interval;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Tables of an experiment: a line for each phase and arm, a line for each figure. */
public final class LabTables {
  private static final double MB = 1e6;

  private LabTables() {}

  /** Medians over the repeats; latencies of the repeats' merged histograms. */
  public static String phases(List<BlockResult> blocks) {
    Grid grid =
        new Grid(
            List.of(
                "phase and arm",
                "ops/s",
                "p50 ms",
                "p99 ms",
                "CPU s",
                "disk read MB",
                "compacted MB",
                "sstables/read"));
    Repeats.byPhaseAndArm(blocks.stream())
        .forEach((name, repeats) -> grid.row(cells(name, repeats)));
    return grid.text();
  }

  /** One line per figure of merit. */
  public static String figures(List<LabFigure> figures) {
    Grid grid =
        new Grid(
            List.of("figure", "asked", "paper", "measured", "low", "high", "reached", "verdict"));
    for (LabFigure figure : figures) {
      grid.row(
          List.of(
              figure.id(),
              figure.asked(),
              figure.paper().isEmpty() ? "-" : figure.paper(),
              number("%.3f", figure.measured()),
              number("%.3f", figure.low()),
              number("%.3f", figure.high()),
              figure.reached() ? "yes" : "no",
              figure.verdict()));
    }
    return grid.text();
  }

  private static List<String> cells(String name, List<BlockResult> repeats) {
    Histogram latencies = BlockResult.mergedLatencies(repeats);
    boolean answered = latencies.getTotalCount() > 0;
    return List.of(
        name,
        number("%.0f", Interval.median(repeats, BlockResult::operationsPerSecond)),
        answered ? number("%.1f", latencies.getValueAtPercentile(50) / 1e3) : "-",
        answered ? number("%.1f", latencies.getValueAtPercentile(99) / 1e3) : "-",
        number("%.1f", Interval.median(repeats, block -> block.server().cpuSeconds())),
        repeats.stream().allMatch(block -> block.server().hasDiskReads())
            ? number("%.1f", Interval.median(repeats, block -> block.server().diskReadBytes() / MB))
            : "not measured",
        number("%.1f", Interval.median(repeats, block -> block.server().bytesCompacted() / MB)),
        number("%.2f", Interval.median(repeats, block -> block.server().sstablesPerRead())));
  }
}

package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.compare.ArmComparison;
import io.counterpart.lab.result.compare.ArmMeasures;
import java.util.List;

/** Latencies and cost of blocks of the memory tier in two runs. Stateless. */
final class TierCosts {
  private TierCosts() {}

  /** Whether a comparison is of the memory tier: nothing else has traffic or work in bytes. */
  static boolean isOfTier(ArmComparison arm) {
    return arm.a().trafficBytes() > 0 || arm.a().bytesPerSecond() > 0;
  }

  /** A line for each phase and arm. */
  static String text(List<ArmComparison> arms) {
    Grid grid =
        new Grid(
            List.of(
                "phase and arm",
                "A p50 us",
                "B p50 us",
                "A p99 us",
                "B p99 us",
                "A MB/s",
                "B MB/s",
                "A traffic MB",
                "B traffic MB",
                "A servers' CPU s",
                "B servers' CPU s",
                "A own CPU s",
                "B own CPU s",
                "A failed",
                "B failed"));
    for (ArmComparison arm : arms) {
      ArmMeasures a = arm.a();
      ArmMeasures b = arm.b();
      grid.row(
          List.of(
              arm.phase() + " " + arm.arm(),
              micros(a.p50Micros()),
              micros(b.p50Micros()),
              micros(a.p99Micros()),
              micros(b.p99Micros()),
              number("%.1f", a.bytesPerSecond() / ComparisonTables.MB),
              number("%.1f", b.bytesPerSecond() / ComparisonTables.MB),
              number("%.1f", a.trafficBytes() / ComparisonTables.MB),
              number("%.1f", b.trafficBytes() / ComparisonTables.MB),
              number("%.2f", a.cpuSeconds()),
              number("%.2f", b.cpuSeconds()),
              number("%.2f", a.ownCpuSeconds()),
              number("%.2f", b.ownCpuSeconds()),
              String.valueOf(a.failed()),
              String.valueOf(b.failed())));
    }
    return grid.text();
  }

  /** A dash where a run has none: published ones are without their histograms. */
  private static String micros(long latency) {
    return latency == 0 ? "-" : String.valueOf(latency);
  }
}

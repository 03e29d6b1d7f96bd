package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.compare.ArmComparison;
import io.counterpart.lab.result.compare.ArmMeasures;
import io.counterpart.lab.result.compare.Comparison;
import io.counterpart.lab.result.compare.Difference;
import io.counterpart.lab.result.compare.FigureComparison;
import io.counterpart.lab.result.compare.RecoveryComparison;
import io.counterpart.lab.result.compare.RunSummary;
import io.counterpart.lab.stats.Interval;
import java.util.List;
import java.util.Locale;

/** Two runs as tables for a terminal, the differences of their configurations first. */
public final class ComparisonTables {
  static final double MB = 1e6;

  private ComparisonTables() {}

  /**
   * The whole comparison.
   *
   * @param a what the first run is called, such as its file
   * @param b what the second run is called
   */
  public static String text(Comparison comparison, String a, String b) {
    StringBuilder out = new StringBuilder();
    out.append(comparison.experiment()).append('\n');
    out.append(summary("A", a, comparison.a())).append(summary("B", b, comparison.b()));
    out.append('\n').append(differences(comparison.differences()));
    only(out, "A", comparison.onlyInA());
    only(out, "B", comparison.onlyInB());
    if (!comparison.recoveries().isEmpty()) {
      out.append('\n').append(recoveries(comparison.recoveries()));
    }
    if (!comparison.arms().isEmpty()) {
      arms(out, comparison.arms());
    }
    if (!comparison.figures().isEmpty()) {
      out.append('\n').append(figures(comparison.figures()));
    }
    return out.toString();
  }

  private static void arms(StringBuilder out, List<ArmComparison> arms) {
    out.append('\n').append(throughput(arms));
    out.append(
        """
        B/A: ratio of the median throughputs. low, high: 95 % bootstrap interval over the blocks of
        each run, or the extremes where a run has fewer than 5. false alarm: how often equal runs
        would be told apart by chance among their blocks; what changes from run to run comes on top.
        """);
    boolean ofTier = arms.stream().anyMatch(TierCosts::isOfTier);
    out.append('\n').append(ofTier ? TierCosts.text(arms) : costs(arms));
    String rest = ofTier ? "traffic" : "compacted";
    out.append("Latencies of merged histograms; CPU and %s: median of a block.\n".formatted(rest));
    if (arms.stream().anyMatch(arm -> arm.a().operations() != arm.b().operations())) {
      out.append(
          "Blocks of A and B differ in size: do not compare their CPU and %s.\n".formatted(rest));
    }
  }

  /** A line for each setting that differs, or one that says that none does. */
  public static String differences(List<Difference> differences) {
    if (differences.isEmpty()) {
      return "Configuration: no differences\n";
    }
    Grid grid = new Grid(List.of("configuration", "A", "B"));
    differences.forEach(each -> grid.row(List.of(each.setting(), each.a(), each.b())));
    return grid.text();
  }

  private static String summary(String letter, String name, RunSummary run) {
    return String.format(
        Locale.ROOT,
        "%s = %s: scale %s, %d values checked: %d lost, %d wrong, %d unread; %d s%n",
        letter,
        name,
        run.scale(),
        run.checked(),
        run.lost(),
        run.wrong(),
        run.unread(),
        run.seconds());
  }

  private static void only(StringBuilder out, String letter, List<String> names) {
    if (!names.isEmpty()) {
      out.append("only in %s: %s%n".formatted(letter, String.join(", ", names)));
    }
  }

  private static String throughput(List<ArmComparison> arms) {
    Grid grid =
        new Grid(
            List.of(
                "phase and arm",
                "A ops/s",
                "B ops/s",
                "B/A",
                "low",
                "high",
                "false alarm",
                "B's throughput"));
    for (ArmComparison arm : arms) {
      Interval ratio = arm.throughputRatio();
      grid.row(
          List.of(
              name(arm),
              number("%.0f", arm.a().operationsPerSecond()),
              number("%.0f", arm.b().operationsPerSecond()),
              number("%.3f", ratio.median()),
              number("%.3f", ratio.low()),
              number("%.3f", ratio.high()),
              number("%.0f %%", arm.falseAlarm() * 100),
              arm.verdict()));
    }
    return grid.text();
  }

  private static String costs(List<ArmComparison> arms) {
    Grid grid =
        new Grid(
            List.of(
                "phase and arm",
                "A p50 ms",
                "B p50 ms",
                "A p99 ms",
                "B p99 ms",
                "A CPU s",
                "B CPU s",
                "A compacted MB",
                "B compacted MB",
                "A failed",
                "B failed"));
    for (ArmComparison arm : arms) {
      ArmMeasures a = arm.a();
      ArmMeasures b = arm.b();
      grid.row(
          List.of(
              name(arm),
              millis(a.p50Micros()),
              millis(b.p50Micros()),
              millis(a.p99Micros()),
              millis(b.p99Micros()),
              number("%.1f", a.cpuSeconds()),
              number("%.1f", b.cpuSeconds()),
              number("%.1f", a.bytesCompacted() / MB),
              number("%.1f", b.bytesCompacted() / MB),
              String.valueOf(a.failed()),
              String.valueOf(b.failed())));
    }
    return grid.text();
  }

  /** A dash where a run has none: published ones are without their histograms. */
  private static String millis(long micros) {
    return micros == 0 ? "-" : number("%.1f", micros / 1e3);
  }

  private static String recoveries(List<RecoveryComparison> recoveries) {
    Grid grid =
        new Grid(
            List.of(
                "phase and recovery",
                "A seconds",
                "B seconds",
                "B/A",
                "low",
                "high",
                "false alarm",
                "B's time",
                "A whole",
                "B whole"));
    for (RecoveryComparison each : recoveries) {
      Interval ratio = each.secondsRatio();
      grid.row(
          List.of(
              each.phase() + " " + each.arm(),
              number("%.1f", each.secondsA()),
              number("%.1f", each.secondsB()),
              number("%.3f", ratio.median()),
              number("%.3f", ratio.low()),
              number("%.3f", ratio.high()),
              number("%.0f %%", each.falseAlarm() * 100),
              each.verdict(),
              number("%.0f %%", each.wholeFractionA() * 100),
              number("%.0f %%", each.wholeFractionB() * 100)));
    }
    return grid.text();
  }

  private static String figures(List<FigureComparison> figures) {
    Grid grid =
        new Grid(
            List.of("figure", "A", "A low", "A high", "B", "B low", "B high", "intervals overlap"));
    for (FigureComparison figure : figures) {
      grid.row(
          List.of(
              figure.id(),
              number("%.3f", figure.a().median()),
              number("%.3f", figure.a().low()),
              number("%.3f", figure.a().high()),
              number("%.3f", figure.b().median()),
              number("%.3f", figure.b().low()),
              number("%.3f", figure.b().high()),
              figure.overlap() ? "yes" : "no"));
    }
    return grid.text();
  }

  private static String name(ArmComparison arm) {
    return arm.phase() + " " + arm.arm();
  }
}

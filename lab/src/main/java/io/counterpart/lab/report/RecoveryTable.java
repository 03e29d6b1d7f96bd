package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.stats.Interval;
import java.util.List;

/** Times of recoveries by part: a line for each phase and arm with recoveries. Stateless. */
public final class RecoveryTable {
  private static final double MB = 1e6;

  private RecoveryTable() {}

  /** Medians over the repeats, each column on its own; empty without a recovery. */
  public static String text(List<BlockResult> blocks) {
    List<BlockResult> recoveries =
        blocks.stream().filter(block -> !block.secondsByPart().isEmpty()).toList();
    if (recoveries.isEmpty()) {
      return "";
    }
    Grid grid =
        new Grid(
            List.of(
                "recovery",
                "s",
                "Merkle s",
                "streaming s",
                "other s",
                "compared s",
                "received MB",
                "whole",
                "CPU s"));
    Repeats.byPhaseAndArm(recoveries.stream())
        .forEach((name, repeats) -> grid.row(cells(name, repeats)));
    return grid.text();
  }

  private static List<String> cells(String name, List<BlockResult> repeats) {
    return List.of(
        name,
        number("%.2f", Interval.median(repeats, BlockResult::recoverySeconds)),
        seconds(repeats, BlockResult.MERKLE),
        seconds(repeats, BlockResult.STREAM),
        seconds(repeats, BlockResult.OTHER),
        seconds(repeats, BlockResult.VERIFY),
        number(
            "%.1f",
            Interval.median(
                repeats,
                block ->
                    block.bytesReceived().values().stream().mapToLong(Long::longValue).sum() / MB)),
        number("%.0f %%", 100 * Interval.median(repeats, BlockResult::wholeFraction)),
        number("%.1f", Interval.median(repeats, block -> block.server().cpuSeconds())));
  }

  private static String seconds(List<BlockResult> repeats, String part) {
    return repeats.stream().noneMatch(block -> block.secondsByPart().containsKey(part))
        ? "-"
        : number(
            "%.2f",
            Interval.median(repeats, block -> block.secondsByPart().getOrDefault(part, 0.0)));
  }
}

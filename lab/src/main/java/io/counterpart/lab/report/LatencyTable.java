package io.counterpart.lab.report;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Latencies of phases at a rate below saturation: medians over the repeats of each arm. Stateless.
 */
public final class LatencyTable {
  private static final double MICROS = 1e3;
  private static final String QUANTILES = " ms: p50 / p99 / p99.9";

  private LatencyTable() {}

  /** For a terminal; empty where no phase has a rate of its own. */
  public static String text(List<BlockResult> blocks) {
    List<BlockResult> offered = offered(blocks);
    return offered.isEmpty() ? "" : grid(offered).text();
  }

  /** For a document; likewise. */
  static String markdown(List<BlockResult> blocks) {
    List<BlockResult> offered = offered(blocks);
    return offered.isEmpty() ? "" : grid(offered).markdown();
  }

  private static List<BlockResult> offered(List<BlockResult> blocks) {
    return blocks.stream().filter(block -> block.counter(Counters.OFFERED_PER_SECOND) > 0).toList();
  }

  private static Grid grid(List<BlockResult> blocks) {
    Set<String> arms = new LinkedHashSet<>();
    Set<String> phases = new LinkedHashSet<>();
    for (BlockResult block : blocks) {
      arms.add(block.arm());
      phases.add(block.phase());
    }
    List<String> header = new ArrayList<>(List.of("at a rate"));
    header.addAll(arms);
    Grid grid = new Grid(header);
    for (String phase : phases) {
      List<BlockResult> ofPhase = blocks.stream().filter(b -> b.phase().equals(phase)).toList();
      Set<String> kinds = new TreeSet<>();
      ofPhase.forEach(block -> kinds.addAll(block.latencies().keySet()));
      for (String kind : kinds) {
        row(grid, phase + ", " + kind + QUANTILES, arms, ofPhase, each -> quantiles(kind, each));
      }
      row(grid, phase + ", switches/min", arms, ofPhase, LatencyTable::switches);
    }
    return grid;
  }

  /**
   * None if no arm has the measure.
   *
   * @param cell of the repeats of one arm, at least one
   */
  private static void row(
      Grid grid,
      String name,
      Set<String> arms,
      List<BlockResult> blocks,
      Function<List<BlockResult>, String> cell) {
    List<String> cells = new ArrayList<>();
    for (String arm : arms) {
      List<BlockResult> repeats = blocks.stream().filter(b -> b.arm().equals(arm)).toList();
      cells.add(repeats.isEmpty() ? "" : cell.apply(repeats));
    }
    if (cells.stream().anyMatch(text -> !text.isEmpty())) {
      cells.add(0, name);
      grid.row(cells);
    }
  }

  private static String quantiles(String kind, List<BlockResult> repeats) {
    if (repeats.stream().noneMatch(block -> block.latencies().containsKey(kind))) {
      return "";
    }
    if (repeats.stream().anyMatch(block -> !block.hasQuantiles(kind))) {
      return kind + "s failed";
    }
    return Stream.<ToLongFunction<LatencySummary>>of(
            LatencySummary::p50Micros, LatencySummary::p99Micros, LatencySummary::p999Micros)
        .map(
            micros ->
                Interval.median(
                    repeats,
                    block ->
                        micros.applyAsLong(Objects.requireNonNull(block.latencies().get(kind)))))
        .map(micros -> number(micros / MICROS))
        .collect(Collectors.joining(" / "));
  }

  private static String switches(List<BlockResult> repeats) {
    return repeats.stream().allMatch(block -> Double.isFinite(block.switchesPerMinute()))
        ? number(Interval.median(repeats, BlockResult::switchesPerMinute))
        : "";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}

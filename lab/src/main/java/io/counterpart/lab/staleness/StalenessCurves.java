package io.counterpart.lab.staleness;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Curves of blocks on stale reads: by R for each N and W, by ε for each N. Stateless. */
final class StalenessCurves {
  private static final Pattern RATE = Pattern.compile("n(\\d+)_w(\\d+)(|_decoupled)_after(\\d+)ms");
  private static final double PERCENT = 100;
  private static final double PER_MILLE = 1_000;

  private StalenessCurves() {}

  static List<Series> of(List<BlockResult> blocks) {
    List<Series> all = new ArrayList<>(rates(blocks));
    all.addAll(bounds(blocks));
    return all;
  }

  private static List<Series> rates(List<BlockResult> blocks) {
    Map<String, List<BlockResult>> phases = new LinkedHashMap<>();
    for (BlockResult block : blocks) {
      if (RATE.matcher(block.phase()).matches()) {
        phases.computeIfAbsent(block.phase(), unused -> new ArrayList<>()).add(block);
      }
    }
    List<Series> series = new ArrayList<>();
    phases.forEach(
        (phase, cells) -> {
          series.add(
              rate(phase, "measured", Series.Source.MEASURED, cells, CellCounters.STALE_PPM));
          series.add(
              rate(
                  phase,
                  "predicted, low",
                  Series.Source.MODEL,
                  cells,
                  CellCounters.PREDICTED_LOW_PPM));
          series.add(
              rate(
                  phase,
                  "predicted, high",
                  Series.Source.MODEL,
                  cells,
                  CellCounters.PREDICTED_HIGH_PPM));
        });
    return series;
  }

  private static Series rate(
      String phase, String line, Series.Source source, List<BlockResult> cells, String counter) {
    Matcher name = RATE.matcher(phase);
    if (!name.matches()) {
      throw new IllegalArgumentException("phase " + phase);
    }
    String kind = name.group(3);
    return new Series(
        "stale_n%s%s_after%sms".formatted(name.group(1), kind, name.group(4)),
        "Stale reads, N = %s, %s ms after the write%s"
            .formatted(name.group(1), name.group(4), kind.isEmpty() ? "" : ", decoupled tables"),
        "W = %s, %s".formatted(name.group(2), line),
        source,
        "R",
        "stale reads, %",
        points(
            cells,
            cell -> Integer.parseInt(cell.arm().substring(1)),
            cell -> CellCounters.share(cell, counter) * PERCENT));
  }

  private static List<Series> bounds(List<BlockResult> blocks) {
    Map<String, List<BlockResult>> phases = new LinkedHashMap<>();
    for (StaleCell cell : StaleCell.bounded(blocks)) {
      phases.computeIfAbsent(cell.phase(), unused -> new ArrayList<>()).add(cell.sum());
    }
    List<Series> series = new ArrayList<>();
    phases.forEach(
        (phase, cells) -> {
          series.add(
              bound(
                  phase,
                  "replicas contacted ÷ quorum, %",
                  cells,
                  cell ->
                      PERCENT
                          * cell.counter(CellCounters.CONTACTED)
                          / cell.counter(CellCounters.QUORUM)));
          series.add(
              bound(
                  phase,
                  "stale reads, %",
                  cells,
                  cell -> PERCENT * cell.counter(CellCounters.STALE_READS) / cell.operations()));
        });
    return series;
  }

  private static Series bound(
      String phase, String line, List<BlockResult> cells, ToDoubleFunction<BlockResult> value) {
    return new Series(
        "bound_" + phase,
        "Reads under a bound of stale ones, " + phase.toUpperCase(Locale.ROOT),
        line,
        Series.Source.MEASURED,
        "ε, per mille",
        "%",
        points(
            cells, cell -> CellCounters.share(cell, CellCounters.EPSILON_PPM) * PER_MILLE, value));
  }

  private static List<Series.Point> points(
      List<BlockResult> cells, ToDoubleFunction<BlockResult> x, ToDoubleFunction<BlockResult> y) {
    return cells.stream()
        .map(cell -> new Series.Point(x.applyAsDouble(cell), y.applyAsDouble(cell)))
        .sorted(Comparator.comparingDouble(Series.Point::x))
        .toList();
  }
}

package io.counterpart.lab.report;

import io.counterpart.lab.result.Series;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One line per curve, with its points. */
public final class SeriesTable {
  private SeriesTable() {}

  /** For a terminal; empty without curves. */
  public static String text(List<Series> series) {
    return series.isEmpty() ? "" : grid(series).text();
  }

  /** For a document; empty without curves. */
  static String markdown(List<Series> series) {
    return series.isEmpty() ? "" : grid(series).markdown();
  }

  private static Grid grid(List<Series> series) {
    Grid grid = new Grid(List.of("curve", "line", "points"));
    for (Series curve : series) {
      String points =
          curve.points().stream()
              .map(point -> String.format(Locale.ROOT, "%,.0f: %.2f", point.x(), point.y()))
              .collect(Collectors.joining("  "));
      grid.row(List.of(curve.id(), curve.line(), points));
    }
    return grid;
  }
}

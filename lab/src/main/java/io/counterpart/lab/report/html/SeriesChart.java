package io.counterpart.lab.report.html;

import io.counterpart.lab.result.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Curves on the same axes.
 *
 * @param lines in the result's order
 */
record SeriesChart(String title, String xLabel, String yLabel, List<Line> lines) {

  /** One curve. */
  record Line(String name, Series.Source source, List<Series.Point> points) {}

  static List<SeriesChart> of(List<Series> series) {
    Map<String, SeriesChart> charts = new LinkedHashMap<>();
    for (Series curve : series) {
      charts
          .computeIfAbsent(
              curve.id(),
              id ->
                  new SeriesChart(curve.title(), curve.xLabel(), curve.yLabel(), new ArrayList<>()))
          .lines()
          .add(new Line(curve.line(), curve.source(), curve.points()));
    }
    return List.copyOf(charts.values());
  }
}

package io.counterpart.lab.experiment;

import io.counterpart.lab.result.Series;
import io.counterpart.lab.result.Series.Point;
import io.counterpart.lab.result.Series.Source;
import java.util.List;

/**
 * Cassandra's amplifications in the text of DEPART §3.1. It names these values only; the rest of
 * Figures 2 and 3 is bars without numbers.
 */
final class PublishedAmplification {
  private static final String LINE = "DEPART §3.1, Cassandra 3.11";

  private PublishedAmplification() {}

  static List<Series> series() {
    return List.of(
        paper(AmplificationAxes.WRITES_BY_FACTOR, new Point(1, 6.5), new Point(3, 25.7)),
        paper(
            AmplificationAxes.WRITES_RATIO,
            new Point(100, 3.4),
            new Point(300, 25.7 / 6.5),
            new Point(600, 4.5)),
        paper(AmplificationAxes.READS_BY_FACTOR, new Point(1, 7.8), new Point(3, 34.6)));
  }

  private static Series paper(AmplificationAxes axes, Point... points) {
    return axes.line(LINE, Source.PAPER, List.of(points));
  }
}

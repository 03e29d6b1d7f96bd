package io.counterpart.lab.experiment;

import io.counterpart.lab.result.Series;
import io.counterpart.lab.result.Series.Point;
import io.counterpart.lab.result.Series.Source;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The axes that amplifications are drawn on, in the order of DEPART's Figures 2 and 3. */
enum AmplificationAxes {
  WRITES_BY_FACTOR(
      "motivation.writes_by_rf",
      "Write amplification against replication factor (Figure 2a)",
      "replication factor",
      "bytes written ÷ user bytes"),
  WRITES_BY_SIZE(
      "motivation.writes_by_size",
      "Write amplification against size, measured",
      "rows",
      "bytes written ÷ user bytes"),
  WRITES_BY_KEYS(
      "motivation.writes_by_keys",
      "Write amplification against size at the paper's (Figure 2b)",
      "million keys",
      "bytes written ÷ user bytes"),
  WRITES_RATIO(
      "motivation.writes_rf3_to_rf1",
      "Write amplification at RF 3 as a multiple of that at RF 1 (Figure 2b)",
      "million keys",
      "RF 3 ÷ RF 1"),
  READS_BY_FACTOR(
      "motivation.reads_by_rf",
      "Read amplification against replication factor (Figure 3a)",
      "replication factor",
      "bytes read from disk ÷ user bytes"),
  READS_BY_SIZE(
      "motivation.reads_by_size",
      "Read amplification against size, measured",
      "rows",
      "bytes read from disk ÷ user bytes"),
  SSTABLES_BY_FACTOR(
      "motivation.sstables_by_rf",
      "Sstables per read against replication factor (modelled: filters checked; measured: read from)",
      "replication factor",
      "sstables per read"),
  SSTABLES_BY_KEYS(
      "motivation.sstables_by_keys",
      "Sstables whose filters a read checks, against size at the paper's (Figure 3b)",
      "million keys",
      "sstables per read");

  private final String id;
  private final String title;
  private final String xLabel;
  private final String yLabel;

  AmplificationAxes(String id, String title, String xLabel, String yLabel) {
    this.id = id;
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** Curves by their axes, in this order; those of the same axes as they are. */
  static List<Series> ordered(List<Series> series) {
    List<String> ids = Arrays.stream(values()).map(axes -> axes.id).toList();
    return series.stream()
        .sorted(Comparator.comparingInt(curve -> ids.indexOf(curve.id())))
        .toList();
  }

  Series line(String name, Source source, List<Point> points) {
    return new Series(id, title, name, source, xLabel, yLabel, points);
  }
}

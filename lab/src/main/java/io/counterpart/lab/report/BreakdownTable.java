package io.counterpart.lab.report;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.TimeByPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The time of nodes by part: a line for each phase and arm, a column for each part. */
public final class BreakdownTable {
  private BreakdownTable() {}

  /** For a terminal; empty where nothing was taken apart. */
  public static String text(List<BlockResult> blocks) {
    List<TimeByPart> times = TimeByPart.of(blocks);
    return times.isEmpty() ? "" : grid(times).text();
  }

  /** For a document; likewise. */
  static String markdown(List<BlockResult> blocks) {
    List<TimeByPart> times = TimeByPart.of(blocks);
    return times.isEmpty() ? "" : grid(times).markdown();
  }

  private static Grid grid(List<TimeByPart> times) {
    List<String> parts =
        times.stream().flatMap(time -> time.seconds().keySet().stream()).distinct().toList();
    List<String> header = new ArrayList<>(List.of("time of threads", "unit"));
    header.addAll(parts);
    header.addAll(List.of("total", "CPU"));
    Grid grid = new Grid(header);
    for (TimeByPart time : times) {
      Map<String, Double> found = time.parts();
      List<String> cells = new ArrayList<>(List.of(time.phase() + " " + time.arm(), time.unit()));
      parts.forEach(part -> cells.add(number(found.getOrDefault(part, 0.0))));
      cells.addAll(List.of(number(time.total()), number(time.cpu())));
      grid.row(cells);
    }
    return grid;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}

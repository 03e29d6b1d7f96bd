package io.counterpart.lab.report;

import io.counterpart.lab.result.Figure;
import java.util.List;
import java.util.Locale;

/** One line per figure of merit: asked, the paper's, measured. */
public final class FigureTable {
  private static final List<String> HEADER =
      List.of("figure", "asked", "paper or trial", "measured", "low", "high", "reached");

  private FigureTable() {}

  /** For a terminal, with the figures' notes below. */
  public static String text(List<Figure> figures) {
    StringBuilder out = new StringBuilder(grid(figures).text());
    for (Figure figure : figures) {
      if (!figure.note().isEmpty()) {
        out.append(figure.id()).append(": ").append(figure.note()).append('\n');
      }
    }
    return out.toString();
  }

  /** For a document. */
  public static String markdown(List<Figure> figures) {
    return grid(figures).markdown();
  }

  private static Grid grid(List<Figure> figures) {
    Grid grid = new Grid(HEADER);
    for (Figure figure : figures) {
      grid.row(
          List.of(
              figure.id(),
              figure.reach(),
              figure.paper().isEmpty() ? "-" : figure.paper(),
              number(figure.measured()),
              number(figure.low()),
              number(figure.high()),
              figure.reached() ? "yes" : "no"));
    }
    return grid;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}

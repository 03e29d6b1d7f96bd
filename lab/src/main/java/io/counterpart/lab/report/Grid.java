package io.counterpart.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text cells, rendered with aligned columns or as Markdown. Not thread-safe. */
final class Grid {
  private final List<List<String>> rows = new ArrayList<>();

  Grid(List<String> header) {
    rows.add(List.copyOf(header));
  }

  void row(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "%d cells: the table has %d columns".formatted(cells.size(), rows.get(0).size()));
    }
    rows.add(List.copyOf(cells));
  }

  /** First column to the left, numbers to the right, a rule under the header. */
  String text() {
    int[] widths = widths();
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      line(out, rows.get(i), widths);
      if (i == 0) {
        for (int width : widths) {
          out.append("-".repeat(width)).append("  ");
        }
        trimEnd(out).append('\n');
      }
    }
    return out.toString();
  }

  String markdown() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      out.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        out.append("|---".repeat(rows.get(0).size())).append("|\n");
      }
    }
    return out.toString();
  }

  static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void line(StringBuilder out, List<String> cells, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      String pad = " ".repeat(widths[column] - cell.length());
      out.append(column == 0 ? cell + pad : pad + cell).append("  ");
    }
    trimEnd(out).append('\n');
  }

  private static StringBuilder trimEnd(StringBuilder out) {
    int end = out.length();
    while (end > 0 && out.charAt(end - 1) == ' ') {
      end--;
    }
    out.setLength(end);
    return out;
  }

  private int[] widths() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }
}

package io.counterpart.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lines of text in columns: numbers to the right, the rest to the left. */
public final class TextTable {

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(List<String> header) {
    this.header = List.copyOf(header);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if the row has not one cell per column
   */
  public TextTable row(List<?> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells in a table of " + header.size() + " columns");
    }
    rows.add(cells.stream().map(String::valueOf).toList());
    return this;
  }

  /** The table, with a line below the header, without a line end at its end. */
  public String render() {
    int[] widths =
        IntStream.range(0, header.size())
            .map(column -> Math.max(header.get(column).length(), widest(column)))
            .toArray();
    List<String> lines = new ArrayList<>();
    lines.add(line(header, widths));
    lines.add(IntStream.of(widths).mapToObj("-"::repeat).collect(Collectors.joining("  ")));
    rows.forEach(row -> lines.add(line(row, widths)));
    return String.join(System.lineSeparator(), lines);
  }

  private int widest(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private String line(List<String> cells, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(column -> pad(cells.get(column), widths[column], isNumeric(column)))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private boolean isNumeric(int column) {
    return rows.stream()
        .allMatch(row -> row.get(column).matches("-?[\\d.,]+( [kKMGT]?i?[B%s])?|-|"));
  }

  private static String pad(String text, int width, boolean right) {
    String blanks = " ".repeat(width - text.length());
    return right ? blanks + text : text + blanks;
  }
}

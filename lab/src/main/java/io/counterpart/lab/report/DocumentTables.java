package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tables of finished runs for documents, in Markdown or for a terminal. They depend on results
 * alone, so that a test can compare a document with its files.
 */
public final class DocumentTables {
  private static final double MB = 1e6;

  private final boolean markdown;

  /** Tables in Markdown, or with aligned columns. */
  public DocumentTables(boolean markdown) {
    this.markdown = markdown;
  }

  /** One line for each figure of some runs. */
  public String figures(List<LabResult> runs) {
    Grid grid =
        new Grid(List.of("figure", "arms", "asked", "paper", "measured", "interval", "reached"));
    for (LabResult run : runs) {
      for (LabFigure figure : run.figures()) {
        grid.row(
            List.of(
                figure.id(),
                String.join(" ÷ ", figure.arms()),
                figure.asked(),
                figure.paper().isEmpty() ? "–" : figure.paper(),
                LabFigure.number(figure.measured()),
                LabFigure.number(figure.low()) + "–" + LabFigure.number(figure.high()),
                reached(figure)));
      }
    }
    return text(grid) + notes(runs);
  }

  /**
   * What each arm did in each phase of a run: the median of operations a second, of bytes where
   * they are what is done (scaling, coding), of seconds where a phase has neither (a drain, a
   * recovery).
   */
  public String phases(LabResult run) {
    LinkedHashSet<String> arms = new LinkedHashSet<>();
    LinkedHashSet<String> phases = new LinkedHashSet<>();
    for (BlockResult block : run.blocks()) {
      arms.add(block.arm());
      phases.add(block.phase());
    }
    List<String> header = new ArrayList<>(List.of(run.experiment()));
    header.addAll(arms);
    Grid grid = new Grid(header);
    for (String phase : phases) {
      List<String> row = new ArrayList<>(List.of(phase));
      arms.forEach(arm -> row.add(cell(run.blocks(), phase, arm)));
      grid.row(row);
    }
    return text(grid);
  }

  /** Slow reads at a rate below saturation; empty where no phase has one. */
  public String latencies(LabResult run) {
    return markdown ? LatencyTable.markdown(run.blocks()) : LatencyTable.text(run.blocks());
  }

  /** Latencies and cost of requests; empty where no table was kept by a storage engine. */
  public String requests(LabResult run) {
    return markdown ? RequestTable.markdown(run) : RequestTable.text(run);
  }

  /** Where the time of the nodes went, by phase and arm; empty where it was not taken apart. */
  public String breakdown(LabResult run) {
    return markdown ? BreakdownTable.markdown(run.blocks()) : BreakdownTable.text(run.blocks());
  }

  /** What tables occupy and what their reads cost; empty where it was not counted. */
  public String costs(LabResult run) {
    return markdown ? TableCosts.markdown(run.blocks()) : TableCosts.text(run.blocks());
  }

  /** Curves of a run, a line each; empty where it has none. */
  public String curves(LabResult run) {
    return markdown ? SeriesTable.markdown(run.series()) : SeriesTable.text(run.series());
  }

  /** Conditions of figures with their values, a line each. */
  private String notes(List<LabResult> runs) {
    String format = markdown ? "%n`%s`: %s.%n" : "%s: %s%n";
    return runs.stream()
        .flatMap(run -> run.figures().stream())
        .filter(figure -> !figure.note().isEmpty())
        .map(figure -> format.formatted(figure.id(), figure.note()))
        .collect(Collectors.joining());
  }

  private static String cell(List<BlockResult> blocks, String phase, String arm) {
    List<BlockResult> repeats = BlockResult.repeats(blocks, phase, arm).toList();
    if (repeats.isEmpty()) {
      return "";
    }
    if (repeats.stream().allMatch(block -> block.bytesPerSecond() > 0)) {
      return number("%.1f MB/s", Interval.median(repeats, BlockResult::bytesPerSecond) / MB);
    }
    return repeats.stream().anyMatch(block -> block.operations() > 0)
        ? number("%.0f", Interval.median(repeats, BlockResult::operationsPerSecond))
        : number("%.1f s", Interval.median(repeats, BlockResult::seconds));
  }

  private static String reached(LabFigure figure) {
    String verdict = figure.verdict().equals("no difference") ? ", no difference" : "";
    return (figure.reached() ? "yes" : "no") + verdict;
  }

  private String text(Grid grid) {
    return markdown ? grid.markdown() : grid.text();
  }
}

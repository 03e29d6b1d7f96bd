package io.counterpart.lab.report.html;

import static io.counterpart.lab.report.html.SyntheticResult.cost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.lab.report.BreakdownTable;
import io.counterpart.lab.report.SeriesTable;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Series;
import io.counterpart.lab.result.Series.Point;
import io.counterpart.lab.result.Series.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BreakdownChartTest {
  private static final List<BlockResult> BLOCKS =
      List.of(
          block("lcs", "load", 1000, Map.of("flush", 0.1)),
          block("ours", "load", 1000, Map.of("flush", 0.1, "align", 0.3)),
          block("lcs", "drain", 0, Map.of("compaction", 0.5)),
          block("lcs", "read", 500, Map.of("data", 0.05)));
  private static final List<Series> SERIES =
      List.of(
          curve("writes", "measured", Source.MEASURED, new Point(1, 2), new Point(2, 4.5)),
          curve("reads", "measured", Source.MEASURED, new Point(1, 1)),
          curve("writes", "paper", Source.PAPER, new Point(1, 6.5)));

  @Test
  void phases_have_a_bar_for_each_arm_in_time_per_operation() {
    List<BreakdownChart> charts = BreakdownChart.of(BLOCKS);

    assertThat(charts).extracting(BreakdownChart::phase).containsExactly("load", "read");
    BreakdownChart load = charts.get(0);
    assertThat(load.unit()).isEqualTo("µs per operation");
    assertThat(load.rows()).extracting(BreakdownChart.Row::arm).containsExactly("lcs", "ours");
    assertThat(load.rows().get(0).parts().get("compaction")).isEqualTo(500, within(1e-9));
    assertThat(load.rows().get(0).total()).isEqualTo(600, within(1e-9));
    assertThat(load.rows().get(1).parts()).doesNotContainKey("compaction");
  }

  @Test
  void curves_of_the_same_axes_share_a_chart() {
    List<SeriesChart> charts = SeriesChart.of(SERIES);

    assertThat(charts).extracting(SeriesChart::title).containsExactly("of writes", "of reads");
    assertThat(charts.get(0).lines())
        .extracting(SeriesChart.Line::name)
        .containsExactly("measured", "paper");
  }

  @Test
  void the_page_has_both() {
    LabResult plain = SyntheticResult.whole();

    String page =
        HtmlReport.render(
            new LabResult(
                1,
                "x",
                "",
                "Title",
                "small",
                plain.config(),
                BLOCKS,
                List.of(),
                List.of(),
                0,
                0,
                0,
                0,
                0,
                SERIES));

    assertThat(page).contains("\"breakdowns\" : [ {", "\"series\" : [ {", "\"align\"");
    assertThat(page).contains("function drawBreakdown", "function drawSeries");
  }

  @Test
  void a_terminal_shows_both() {
    String times = BreakdownTable.text(BLOCKS);

    assertThat(times.lines().findFirst().orElseThrow())
        .contains("flush", "align", "compaction", "data", "total", "CPU");
    assertThat(times).containsPattern("load lcs +µs per operation +100\\.0 ");
    assertThat(SeriesTable.text(SERIES)).contains("writes", "measured", "1: 2.00  2: 4.50");
  }

  @Test
  void a_terminal_is_not_told_of_nothing() {
    assertThat(BreakdownTable.text(SyntheticResult.whole().blocks())).isEmpty();
    assertThat(SeriesTable.text(List.of())).isEmpty();
  }

  private static BlockResult block(
      String arm, String phase, long operations, Map<String, Double> breakdown) {
    return new BlockResult(
        arm, phase, 0, operations, 0, 1, Map.of(), cost(0, 0, Map.of()), breakdown);
  }

  private static Series curve(String id, String line, Source source, Point... points) {
    return new Series(id, "of " + id, line, source, "x", "y", List.of(points));
  }
}

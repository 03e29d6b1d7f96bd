package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.bench.FiguresOf;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultOf;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {
  private final LabFigure missed =
      new LabFigure(
          "dec.x",
          2,
          1.5,
          2.5,
          "ratio",
          List.of("a", "b"),
          "full",
          3,
          false,
          "1.43",
          "more",
          false,
          "a note");

  @Test
  void aligns_columns() {
    Grid grid = new Grid(List.of("name", "n"));
    grid.row(List.of("a", "100"));

    assertThat(grid.text()).isEqualTo("name    n\n----  ---\na     100\n");
    assertThat(grid.markdown()).isEqualTo("| name | n |\n|---|---|\n| a | 100 |\n");
    assertThatThrownBy(() -> grid.row(List.of("one"))).hasMessageContaining("2 columns");
  }

  @Test
  void shows_every_arm_with_its_figures() {
    String text = ArmTable.text(Map.of("lcs", FiguresOf.compaction(123e6, 2)));

    assertThat(text).contains("compacted MB", "lcs", "123", "95 %");
  }

  @Test
  void says_what_is_not_reached() {
    LabResult run = LabResultOf.withFigures("decoupling", List.of(missed));

    assertThat(new DocumentTables(false).figures(List.of(run)))
        .contains("dec.x", ">= 3", "1.43", "2.00", "no", "dec.x: a note");
    assertThat(new DocumentTables(true).figures(List.of(run)))
        .contains("| dec.x | a ÷ b | >= 3.00 | 1.43 | 2.00 | 1.50–2.50 | no |", "`dec.x`: a note.");
  }
}

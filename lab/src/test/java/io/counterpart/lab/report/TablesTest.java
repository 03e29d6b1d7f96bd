package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.experiment.FiguresOf;
import io.counterpart.lab.result.Figure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {
  private final Figure missed = new Figure("dec.x", 2, 1.5, 2.5, "1.43", ">= 3", false, "a note");

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
    assertThat(FigureTable.text(List.of(missed)))
        .contains("dec.x", ">= 3", "1.43", "2.000", "no", "dec.x: a note");
    assertThat(FigureTable.markdown(List.of(missed))).contains("| dec.x | >= 3 | 1.43 | 2.000 |");
  }
}

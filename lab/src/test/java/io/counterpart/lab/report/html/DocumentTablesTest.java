package io.counterpart.lab.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.report.DocumentTables;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentTablesTest {
  private final DocumentTables tables = new DocumentTables(true);

  @Test
  void figures_of_all_runs_stand_in_one_table_with_their_intervals() {
    LabResult more =
        SyntheticResult.result(
            List.of(), List.of(), List.of(SyntheticResult.figure(2.0, 1.5, true, "1.70")));
    LabResult less =
        SyntheticResult.result(
            List.of(), List.of(), List.of(SyntheticResult.atMost(0.31, 0.25, false)));

    assertThat(tables.figures(List.of(more, less)))
        .contains(
            "| exp8.reads_vs_lcs | decoupled_s20+pf ÷ lcs | >= 1.50 | 1.70 | 2.00 | 1.80–2.20 | yes |",
            "| exp6.recovery_vs_repair | decoupled_t4+recover ÷ lcs+repair | <= 0.25 | – | 0.31 | 0.31–0.31 | no |");
  }

  @Test
  void phases_show_medians_of_the_arms_and_seconds_where_nothing_was_sent() {
    LabResult run =
        SyntheticResult.result(
            List.of(
                SyntheticResult.block("lcs", "read", 0, 100),
                SyntheticResult.block("lcs", "read", 1, 300),
                SyntheticResult.block("lcs", "read", 2, 200),
                SyntheticResult.block("ucs_t4", "read", 0, 50),
                drain("lcs", 12.5)),
            List.of(),
            List.of());

    assertThat(tables.phases(run))
        .contains("| depart-exp8 | lcs | ucs_t4 |", "| read | 200 | 50 |", "| drain | 12.5 s |  |");
  }

  private static BlockResult drain(String arm, double seconds) {
    return new BlockResult(
        arm, "drain", 0, 0, 0, seconds, Map.of(), SyntheticResult.cost(0, 0, Map.of()));
  }
}

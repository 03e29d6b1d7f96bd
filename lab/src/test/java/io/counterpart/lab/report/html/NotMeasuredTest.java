package io.counterpart.lab.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.report.LabTables;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Unmeasured values are shown as such and never as a number. */
class NotMeasuredTest {
  private static final NodeCost UNKNOWN =
      new NodeCost(
          1.5,
          NodeCost.NOT_MEASURED,
          NodeCost.NOT_MEASURED,
          3_000_000,
          4_000_000,
          1.2,
          0.1,
          Map.of(),
          0.8);

  private final List<BlockResult> blocks =
      List.of(
          SyntheticResult.block(
              "lcs", "read", 0, 100, Map.of("read", SyntheticResult.latencies(1, 2)), UNKNOWN));

  @Test
  void the_tables_say_so_and_keep_what_is_known() {
    assertThat(LabTables.phases(blocks)).contains("not measured", "4.0").doesNotContain("-0.0");
  }

  @Test
  void the_report_has_no_number_for_it() {
    NodeCostRow row =
        NodeCostRow.of(new MeasuredBlocks(SyntheticResult.result(blocks, List.of(), List.of())))
            .get(0);

    assertThat(row.diskReadMegabytes()).isNull();
    assertThat(row.diskWrittenMegabytes()).isNull();
    assertThat(row.compactedMegabytes()).isEqualTo(4);
  }
}

package io.counterpart.lab.report.html;

import static io.counterpart.lab.report.html.SyntheticResult.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.report.RecoveryTable;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecoveryChartTest {
  private static final BlockResult LOAD = block("lcs", "load", 0, 10);

  @Test
  void has_a_row_for_each_arm_that_recovered() {
    List<BlockResult> blocks =
        List.of(LOAD, recovery("lcs+repair", 0, 2), recovery("lcs+repair", 1, 4), ours());

    List<RecoveryChart> charts = RecoveryChart.of(new MeasuredBlocks(result(blocks)));

    assertThat(charts).extracting(RecoveryChart::phase).containsExactly("recover");
    RecoveryChart.Row stock = charts.get(0).rows().get(0);
    assertThat(stock.arm()).isEqualTo("lcs+repair");
    assertThat(stock.parts())
        .containsExactly(Map.entry(BlockResult.MERKLE, 3.0), Map.entry(BlockResult.STREAM, 1.0));
    assertThat(stock.total()).isEqualTo(4);
    assertThat(stock.repeats()).isEqualTo(2);
    RecoveryChart.Row ours = charts.get(0).rows().get(1);
    assertThat(ours.total()).as("without the comparison").isEqualTo(1);
    assertThat(ours.receivedMegabytes()).isEqualTo(4);
    assertThat(ours.wholeFraction()).isEqualTo(0.75);
  }

  @Test
  void is_left_out_where_nothing_recovered() {
    assertThat(RecoveryChart.of(new MeasuredBlocks(result(List.of(LOAD))))).isEmpty();
    assertThat(RecoveryTable.text(List.of(LOAD))).isEmpty();
  }

  @Test
  void table_tells_absent_parts_from_short_ones() {
    String table = RecoveryTable.text(List.of(LOAD, recovery("lcs+repair", 0, 2), ours()));

    assertThat(table.lines().skip(2))
        .satisfiesExactly(
            stock -> assertThat(stock).matches("recover lcs\\+repair +3.00 +2.00 +1.00 +- +- .*"),
            ours ->
                assertThat(ours).matches("recover decoupled.* 1.00 +0.00 .* 7.00 +4.0 +75 % .*"));
  }

  private static BlockResult ours() {
    return block("decoupled_t4+recover", "recover", 0, 10)
        .withParts(
            Map.of(BlockResult.MERKLE, 0.0, BlockResult.STREAM, 1.0, BlockResult.VERIFY, 7.0),
            Map.of(BlockResult.WHOLE, 3_000_000L, BlockResult.SECTIONS, 1_000_000L));
  }

  private static BlockResult recovery(String arm, int repeat, double merkle) {
    return block(arm, "recover", repeat, 10)
        .withParts(Map.of(BlockResult.MERKLE, merkle, BlockResult.STREAM, 1.0), Map.of());
  }

  private static LabResult result(List<BlockResult> blocks) {
    return SyntheticResult.result(blocks, List.of(), List.of());
  }
}

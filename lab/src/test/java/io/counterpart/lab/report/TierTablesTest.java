package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabResultOf;
import io.counterpart.lab.result.NodeCost;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TierTablesTest {
  private static final List<BlockResult> BLOCKS =
      List.of(block(0, 2, 30_000_000), block(1, 1, 10_000_000), block(2, 1, 40_000_000));

  @Test
  void shows_bytes_a_second_and_what_was_counted() {
    assertThat(TierTables.isOfTier(BLOCKS)).isTrue();
    assertThat(TierTables.phases(BLOCKS))
        .contains("scaleout_8_6_1 echash")
        // the median of 15, 10 and 40
        .contains("15.0");
    assertThat(TierTables.counters(BLOCKS))
        .contains("movedObjects 700")
        .doesNotContain(Counters.BYTES + " ");
    assertThat(new DocumentTables(false).phases(LabResultOf.result("x", Map.of(), BLOCKS)))
        .contains("15.0 MB/s");
  }

  @Test
  void has_nothing_to_say_of_tables() {
    List<BlockResult> blocks =
        List.of(LabResultOf.block("lcs", "read", 0, 10, new SplittableRandom(1)));

    assertThat(TierTables.isOfTier(blocks)).isFalse();
    assertThat(TierTables.counters(blocks)).isEmpty();
  }

  @Test
  void counters_of_tables_make_no_block_one_of_the_tier() {
    BlockResult block =
        LabResultOf.block("lcs", "read", 0, 10, new SplittableRandom(1))
            .withCounters(Map.of(Counters.LOCAL_READS, 10L, Counters.FILTER_BYTES, 1_000L));

    assertThat(TierTables.isOfTier(List.of(block))).isFalse();
  }

  private static BlockResult block(int repeat, double seconds, long bytes) {
    return new BlockResult(
            "echash",
            "scaleout_8_6_1",
            repeat,
            700,
            0,
            seconds,
            Map.of(),
            new NodeCost(0.5, -1, -1, 0, 0, 0, 0, Map.of(), 0))
        .withCounters(Map.of(Counters.BYTES, bytes, "movedObjects", 700L));
  }
}

package io.counterpart.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BlockMeasureTest {
  @Test
  void latencies_of_a_block_of_which_too_many_operations_failed_are_no_number() {
    for (BlockMeasure measure :
        List.of(BlockMeasure.READ_MEAN_MICROS, BlockMeasure.WRITE_P50_MICROS)) {
      assertThat(measure.of(block(990, 10))).as("one in a hundred").isEqualTo(100);
      assertThat(measure.of(block(989, 11))).as("more").isNaN();
    }
  }

  private static BlockResult block(long operations, long failed) {
    Histogram latencies = new Histogram(3);
    latencies.recordValue(100);
    LatencySummary each = LatencySummary.of(latencies);
    return new BlockResult(
        "lcs",
        "mixed",
        0,
        operations,
        failed,
        1,
        Map.of("read", each, "update", each),
        NodeCost.ofCpu(Duration.ZERO));
  }
}

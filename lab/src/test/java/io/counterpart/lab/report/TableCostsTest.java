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

class TableCostsTest {
  @Test
  void shows_what_is_occupied_at_the_end_and_what_a_read_costs() {
    BlockResult first = written(0, 40_000_000, 1_024);
    BlockResult last = written(1, 80_000_000, 2_048);
    BlockResult reads =
        new BlockResult("ours", "read_cold", 0, 100, 0, 1, Map.of(), cost(100 * 6_144))
            .withCounters(Map.of(Counters.LOCAL_READS, 200L, Counters.LOCAL_READ_MICROS, 30_000L));

    assertThat(TableCosts.markdown(List.of(first, last, reads)).lines())
        .containsExactly(
            "| costs | MB on disk | sstables | filters KiB | compacted MB | CPU s |"
                + " KiB from disk a read | µs of a local read |",
            "|---|---|---|---|---|---|---|---|",
            "| write ours | 80.0 | 7 | 2 | 2.0 | 1.5 | - | - |",
            "| read_cold ours | - | - | - | 2.0 | 1.5 | 6.0 | 150 |");
  }

  @Test
  void has_nothing_to_say_of_blocks_that_counted_neither() {
    assertThat(
            TableCosts.text(
                List.of(LabResultOf.block("lcs", "read", 0, 10, new SplittableRandom(1)))))
        .isEmpty();
  }

  private static BlockResult written(int repeat, long disk, long filters) {
    return new BlockResult("ours", "write", repeat, 10, 0, 1, Map.of(), cost(0))
        .withCounters(
            Map.of(
                Counters.DISK_BYTES, disk,
                Counters.SSTABLES, 7L,
                Counters.FILTER_BYTES, filters));
  }

  private static NodeCost cost(long read) {
    return new NodeCost(1.5, read, 0, 0, 2_000_000, 1, 0, Map.of(), 0);
  }
}

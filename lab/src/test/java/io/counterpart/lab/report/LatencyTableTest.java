package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabResultOf;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatencyTableTest {
  @Test
  void shows_quantiles_and_switches_of_phases_at_a_rate_and_no_time_of_reads_that_failed() {
    List<BlockResult> blocks =
        List.of(
            block("stock", "healthy", 20_000),
            block("ours", "healthy", 9_000).plusCounters(switches(3, 120)),
            block("ours", "healthy", 11_000).plusCounters(switches(0, 120)),
            block("stock", "slow", 44_400),
            block("ours", "slow", 2, 10_000));

    assertThat(LatencyTable.markdown(blocks).lines())
        .containsExactly(
            "| at a rate | stock | ours |",
            "|---|---|---|",
            "| healthy, read ms: p50 / p99 / p99.9 | 2.0 / 20.0 / 40.0 | 1.0 / 10.0 / 20.0 |",
            "| healthy, switches/min |  | 0.8 |",
            "| slow, read ms: p50 / p99 / p99.9 | 4.4 / 44.4 / 88.8 | reads failed |");
  }

  @Test
  void has_nothing_to_say_of_blocks_as_fast_as_answers_come() {
    assertThat(
            LatencyTable.text(
                List.of(LabResultOf.block("lcs", "read", 0, 10, new SplittableRandom(1)))))
        .isEmpty();
  }

  private static Map<String, Long> switches(long count, long seconds) {
    return Map.of(Counters.SWITCHES, count, Counters.SWITCH_SECONDS, seconds);
  }

  private static BlockResult block(String arm, String phase, long p99Micros) {
    return block(arm, phase, 0, p99Micros);
  }

  private static BlockResult block(String arm, String phase, long failed, long p99Micros) {
    return new BlockResult(
            arm,
            phase,
            0,
            100,
            failed,
            1,
            Map.of(
                "read",
                new LatencySummary(
                    10, p99Micros / 10, p99Micros, 2 * p99Micros, 3 * p99Micros, "")),
            new NodeCost(0, 0, 0, 0, 0, 0, 0, Map.of(), 0))
        .withCounters(Map.of(Counters.OFFERED_PER_SECOND, 600L));
  }
}

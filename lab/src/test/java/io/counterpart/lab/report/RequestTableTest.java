package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultOf;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestTableTest {
  @Test
  void shows_the_medians_of_latencies_and_what_one_operation_costs() {
    List<BlockResult> blocks =
        List.of(
            block("write_heavy", 0, Map.of("read", latency(1_000), "update", latency(500))),
            block("write_heavy", 1, Map.of("read", latency(3_000), "update", latency(700))),
            block("write_only", 0, Map.of("update", latency(250))));

    assertThat(RequestTable.markdown(result(Map.of(LabResult.ENGINES, List.of("lmdb")), blocks)))
        .isEqualToIgnoringNewLines(
            """
            | requests | operations/s | read ms | p99 | write ms | p99 | KiB from disk | KiB to disk | CPU µs | sstables/read |
            |---|---|---|---|---|---|---|---|---|---|
            | write_heavy lmdb | 50 | 2.00 | 20.0 | 0.60 | 6.0 | 2.0 | 4.0 | 15000 | 1.50 |
            | write_only lmdb | 50 | - | - | 0.25 | 2.5 | 2.0 | 4.0 | 15000 | - |
            """);
  }

  @Test
  void has_no_latencies_where_too_many_operations_of_a_block_failed() {
    List<BlockResult> blocks =
        List.of(
            block("write_only", 0, Map.of("update", latency(250))),
            block("write_only", 1, 2, Map.of("update", latency(250))));

    assertThat(RequestTable.markdown(result(Map.of(LabResult.ENGINES, List.of("lmdb")), blocks)))
        .contains("| write_only lmdb | 50 | - | - | failed | failed | 2.0 | 4.0 | 15000 | - |");
  }

  @Test
  void has_nothing_to_say_of_runs_without_engines() {
    List<BlockResult> blocks = List.of(block("read", 0, Map.of("read", latency(1_000))));

    assertThat(RequestTable.text(result(Map.of(), blocks))).isEmpty();
  }

  private static LabResult result(Map<String, Object> config, List<BlockResult> blocks) {
    return LabResultOf.result("mycassandra-fig4-6", config, blocks);
  }

  private static LatencySummary latency(long meanMicros) {
    return new LatencySummary(50, 1, 10 * meanMicros, 1, 1, meanMicros, "");
  }

  private static BlockResult block(
      String phase, int repeat, Map<String, LatencySummary> latencies) {
    return block(phase, repeat, 0, latencies);
  }

  private static BlockResult block(
      String phase, int repeat, long failed, Map<String, LatencySummary> latencies) {
    NodeCost cost = new NodeCost(1.5, 100 * 2_048, 100 * 4_096, 0, 0, 1.5, 0, Map.of(), 0);
    return new BlockResult("lmdb", phase, repeat, 100, failed, 2, latencies, cost);
  }
}

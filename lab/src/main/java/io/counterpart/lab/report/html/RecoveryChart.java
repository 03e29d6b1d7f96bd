package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.stats.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Times of a phase's recoveries by part.
 *
 * @param rows one for each arm with recoveries
 */
record RecoveryChart(String phase, List<Row> rows) {
  private static final double MB = 1e6;

  /**
   * One arm; each value is the median over the repeats on its own.
   *
   * @param parts seconds by part, what comes on top last
   * @param total seconds, without what comes on top
   * @param receivedMegabytes streamed to the node
   * @param wholeFraction share of them in whole sstables, 0 to 1
   * @param repeats recoveries
   */
  record Row(
      String arm,
      Map<String, Double> parts,
      double total,
      double receivedMegabytes,
      double wholeFraction,
      double cpuSeconds,
      int repeats) {}

  static List<RecoveryChart> of(MeasuredBlocks blocks) {
    return blocks.phases().stream()
        .map(
            phase ->
                new RecoveryChart(
                    phase,
                    blocks.arms(phase).stream()
                        .map(arm -> recoveries(blocks.of(phase, arm)))
                        .filter(recoveries -> !recoveries.isEmpty())
                        .map(RecoveryChart::row)
                        .toList()))
        .filter(chart -> !chart.rows().isEmpty())
        .toList();
  }

  private static List<BlockResult> recoveries(List<BlockResult> blocks) {
    return blocks.stream().filter(block -> !block.secondsByPart().isEmpty()).toList();
  }

  private static Row row(List<BlockResult> recoveries) {
    Map<String, Double> parts = new LinkedHashMap<>();
    Stream.of(BlockResult.MERKLE, BlockResult.STREAM, BlockResult.OTHER, BlockResult.VERIFY)
        .filter(part -> recoveries.stream().anyMatch(r -> r.secondsByPart().containsKey(part)))
        .forEach(
            part ->
                parts.put(
                    part,
                    Interval.median(
                        recoveries, block -> block.secondsByPart().getOrDefault(part, 0.0))));
    return new Row(
        recoveries.get(0).arm(),
        parts,
        Interval.median(recoveries, BlockResult::recoverySeconds),
        Interval.median(
            recoveries,
            block -> block.bytesReceived().values().stream().mapToLong(Long::longValue).sum() / MB),
        Interval.median(recoveries, BlockResult::wholeFraction),
        Interval.median(recoveries, block -> block.server().cpuSeconds()),
        recoveries.size());
  }
}

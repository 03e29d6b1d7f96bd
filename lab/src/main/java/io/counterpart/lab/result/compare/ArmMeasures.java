package io.counterpart.lab.result.compare;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.stats.Interval;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One phase of one arm in one run.
 *
 * @param blocks how many
 * @param operations answered well, median of the blocks
 * @param failed operations that ended in an error or a time-out, all blocks together
 * @param operationsPerSecond median of the blocks
 * @param p50Micros median latency, of the blocks' merged histograms
 * @param p99Micros 99th percentile, likewise
 * @param cpuSeconds processor time of all servers, median of the blocks
 * @param bytesCompacted of the block's table, median of the blocks
 * @param bytesPerSecond of the block's work in the memory tier, median of the blocks; 0 if its work
 *     is not counted in bytes
 * @param trafficBytes between a proxy of the memory tier and its servers, median of the blocks; 0
 *     for tables
 * @param ownCpuSeconds processor time of the memory tier's proxy and client, median of the blocks;
 *     0 for tables
 */
public record ArmMeasures(
    int blocks,
    double operations,
    long failed,
    double operationsPerSecond,
    long p50Micros,
    long p99Micros,
    double cpuSeconds,
    double bytesCompacted,
    double bytesPerSecond,
    double trafficBytes,
    double ownCpuSeconds) {
  private static final double MICROS = 1e6;

  static ArmMeasures of(List<BlockResult> blocks) {
    Histogram latencies = BlockResult.mergedLatencies(blocks);
    return new ArmMeasures(
        blocks.size(),
        Interval.median(blocks, BlockResult::operations),
        blocks.stream().mapToLong(BlockResult::failed).sum(),
        Interval.median(blocks, BlockResult::operationsPerSecond),
        latencies.getValueAtPercentile(50),
        latencies.getValueAtPercentile(99),
        Interval.median(blocks, block -> block.server().cpuSeconds()),
        Interval.median(blocks, block -> block.server().bytesCompacted()),
        Interval.median(blocks, BlockResult::bytesPerSecond),
        Interval.median(blocks, block -> block.counter(Counters.TRAFFIC_BYTES)),
        Interval.median(blocks, block -> block.counter(Counters.PROCESS_CPU_MICROS) / MICROS));
  }
}

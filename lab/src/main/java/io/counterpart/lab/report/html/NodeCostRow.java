package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a block of one phase, summed over the nodes: medians over the repeats.
 *
 * @param repeats blocks
 * @param failed operations of all of them that ended in an error or a time-out
 * @param diskReadMegabytes null if it was not measured
 * @param diskWrittenMegabytes null if it was not measured
 */
record NodeCostRow(
    String phase,
    String arm,
    int repeats,
    long failed,
    double seconds,
    double cpuSeconds,
    @Nullable Double diskReadMegabytes,
    @Nullable Double diskWrittenMegabytes,
    double flushedMegabytes,
    double compactedMegabytes,
    double sstablesPerRead,
    double gcSeconds,
    double keyCacheHitRatio) {
  private static final double MB = 1e6;

  static List<NodeCostRow> of(MeasuredBlocks blocks) {
    List<NodeCostRow> rows = new ArrayList<>();
    for (String phase : blocks.phases()) {
      for (String arm : blocks.arms(phase)) {
        rows.add(row(phase, arm, blocks.of(phase, arm)));
      }
    }
    return rows;
  }

  private static NodeCostRow row(String phase, String arm, List<BlockResult> repeats) {
    return new NodeCostRow(
        phase,
        arm,
        repeats.size(),
        repeats.stream().mapToLong(BlockResult::failed).sum(),
        Interval.median(repeats, BlockResult::seconds),
        Interval.median(repeats, block -> block.server().cpuSeconds()),
        measured(repeats, NodeCost::hasDiskReads, NodeCost::diskReadBytes),
        measured(repeats, NodeCost::hasDiskWrites, NodeCost::diskWrittenBytes),
        Interval.median(repeats, block -> block.server().bytesFlushed() / MB),
        Interval.median(repeats, block -> block.server().bytesCompacted() / MB),
        Interval.median(repeats, block -> block.server().sstablesPerRead()),
        Interval.median(repeats, block -> block.server().gcSeconds()),
        Interval.median(repeats, block -> block.server().keyCacheHitRatio()));
  }

  /** Megabytes. */
  private static @Nullable Double measured(
      List<BlockResult> repeats, Predicate<NodeCost> isMeasured, ToLongFunction<NodeCost> bytes) {
    return repeats.stream().map(BlockResult::server).allMatch(isMeasured)
        ? Double.valueOf(Interval.median(repeats, block -> bytes.applyAsLong(block.server()) / MB))
        : null;
  }
}

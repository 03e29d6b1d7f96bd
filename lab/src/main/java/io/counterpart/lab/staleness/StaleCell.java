package io.counterpart.lab.staleness;

import io.counterpart.core.staleness.Proportion;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The blocks of one phase and arm together, and whether its stale reads are as they should be.
 *
 * @param sum of the blocks' reads and counters; predictions only of cells with one block
 */
record StaleCell(BlockResult sum) {
  /** Cells beside a prediction. */
  static List<StaleCell> predicted(List<BlockResult> blocks) {
    return of(blocks, CellCounters.PREDICTED_PPM);
  }

  /** Cells under a bound. */
  static List<StaleCell> bounded(List<BlockResult> blocks) {
    return of(blocks, CellCounters.EPSILON_PPM);
  }

  private static List<StaleCell> of(List<BlockResult> blocks, String counter) {
    Map<String, List<BlockResult>> cells =
        blocks.stream()
            .filter(block -> block.counters().containsKey(counter) && block.operations() > 0)
            .collect(
                Collectors.groupingBy(
                    block -> block.phase() + " " + block.arm(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    List<StaleCell> all = new ArrayList<>();
    cells.values().forEach(cell -> all.add(new StaleCell(summed(cell))));
    return all;
  }

  private static BlockResult summed(List<BlockResult> blocks) {
    BlockResult first = blocks.get(0);
    Map<String, Long> counters = new LinkedHashMap<>(first.counters());
    for (String name :
        List.of(CellCounters.STALE_READS, CellCounters.CONTACTED, CellCounters.QUORUM)) {
      counters.put(name, blocks.stream().mapToLong(block -> block.counter(name)).sum());
    }
    return new BlockResult(
            first.arm(),
            first.phase(),
            0,
            blocks.stream().mapToLong(BlockResult::operations).sum(),
            blocks.stream().mapToLong(BlockResult::failed).sum(),
            blocks.stream().mapToDouble(BlockResult::seconds).sum(),
            Map.of(),
            NodeCost.ofCpu(Duration.ZERO))
        .withCounters(counters);
  }

  String phase() {
    return sum.phase();
  }

  String name() {
    return sum.phase() + " " + sum.arm();
  }

  /** What was counted. */
  Proportion rate() {
    return new Proportion(sum.counter(CellCounters.STALE_READS), sum.operations());
  }

  /**
   * Whether the measured rate's interval meets the predicted one; a cell that cannot be stale must
   * have no stale read.
   *
   * @param confidence of the measured interval
   */
  boolean meetsPrediction(double confidence) {
    if (sum.counter(CellCounters.CONTROL) == 1) {
      return sum.counter(CellCounters.STALE_READS) == 0;
    }
    return rate().low(confidence) <= CellCounters.share(sum, CellCounters.PREDICTED_HIGH_PPM)
        && rate().high(confidence) >= CellCounters.share(sum, CellCounters.PREDICTED_LOW_PPM);
  }

  /**
   * Whether the rate is at most ε with that confidence: its upper bound is.
   *
   * @param confidence of the measured interval
   */
  boolean keepsBound(double confidence) {
    return rate().high(confidence) <= CellCounters.share(sum, CellCounters.EPSILON_PPM);
  }
}

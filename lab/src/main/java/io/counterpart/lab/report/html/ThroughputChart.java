package io.counterpart.lab.report.html;

import io.counterpart.lab.stats.Interval;
import java.util.List;

/**
 * Throughput of one phase.
 *
 * @param bars one for each arm with blocks
 */
record ThroughputChart(String phase, List<Bar> bars) {

  /**
   * One arm.
   *
   * @param throughput operations/s
   * @param repeats blocks that the median is of
   */
  record Bar(String arm, Interval throughput, int repeats) {}

  static List<ThroughputChart> of(MeasuredBlocks blocks) {
    return blocks.phases().stream()
        .map(
            phase ->
                new ThroughputChart(
                    phase,
                    blocks.arms(phase).stream()
                        .map(
                            arm ->
                                new Bar(
                                    arm,
                                    blocks.throughput(phase, arm),
                                    blocks.of(phase, arm).size()))
                        .toList()))
        // a phase that only waits has no throughput
        .filter(chart -> chart.bars().stream().anyMatch(bar -> bar.throughput().high() > 0))
        .toList();
  }
}

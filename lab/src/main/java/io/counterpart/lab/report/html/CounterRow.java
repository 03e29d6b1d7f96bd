package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One counter of the memory tier in one phase.
 *
 * @param median over the blocks of the arm
 */
record CounterRow(String phase, String arm, String counter, double median) {

  /** Every counter of every phase and arm; none for runs on tables. */
  static List<CounterRow> of(MeasuredBlocks blocks) {
    List<CounterRow> rows = new ArrayList<>();
    for (String phase : blocks.phases()) {
      for (String arm : blocks.arms(phase)) {
        List<BlockResult> repeats = blocks.of(phase, arm);
        Set<String> names = new LinkedHashSet<>();
        repeats.forEach(block -> names.addAll(block.counters().keySet()));
        for (String name : names) {
          double median = Interval.median(repeats, block -> block.counter(name));
          rows.add(new CounterRow(phase, arm, name, median));
        }
      }
    }
    return rows;
  }
}

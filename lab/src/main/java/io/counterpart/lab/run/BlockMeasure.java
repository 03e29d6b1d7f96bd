package io.counterpart.lab.run;

import io.counterpart.lab.result.BlockResult;
import java.util.function.ToDoubleFunction;

/** What of a block a figure is about. */
public enum BlockMeasure {
  /** Operations answered well per second. */
  THROUGHPUT("operations/s", BlockResult::operationsPerSecond),
  /** Time of a recovery, the comparison at its end left out. */
  RECOVERY_SECONDS("s", BlockResult::recoverySeconds),
  /** Share of the bytes received that came as whole sstables, 0 to 1. */
  WHOLE_SHARE("share of bytes", BlockResult::wholeFraction);

  private final String unit;
  private final ToDoubleFunction<BlockResult> reading;

  BlockMeasure(String unit, ToDoubleFunction<BlockResult> reading) {
    this.unit = unit;
    this.reading = reading;
  }

  String unit() {
    return unit;
  }

  double of(BlockResult block) {
    return reading.applyAsDouble(block);
  }
}

package io.counterpart.lab.run;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.PairedRatios;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Figures of one measure over the blocks of some phases, as ratios or absolute values. Stateless.
 */
final class MeasureFigures {
  private final List<BlockResult> blocks;
  private final String scale;
  private final long seed;

  MeasureFigures(List<BlockResult> blocks, String scale, long seed) {
    this.blocks = blocks;
    this.scale = scale;
    this.seed = seed;
  }

  /**
   * Empty unless both arms have as many blocks of each phase, at least one in all, and every one
   * has the measure.
   */
  Optional<LabFigure> ratio(Aim.Ratio aim) {
    double[] own = values(aim.phases(), aim.measure(), aim.arm());
    double[] peer = values(aim.phases(), aim.measure(), aim.peer());
    boolean paired =
        aim.phases().stream()
            .allMatch(
                phase -> blocks(phase, aim.arm()).count() == blocks(phase, aim.peer()).count());
    if (own.length == 0 || !paired || !isMeasured(own) || !isMeasured(peer) || hasZero(peer)) {
      return Optional.empty();
    }
    Interval ratio = PairedRatios.of(own, peer, seed);
    return Optional.of(
        new LabFigure(
            aim.id(),
            ratio.median(),
            ratio.low(),
            ratio.high(),
            "ratio",
            List.of(aim.arm(), aim.peer()),
            scale,
            aim.asked().value(),
            aim.asked().isMetBy(ratio.median()),
            aim.paper(),
            ratio.verdict(),
            aim.asked().atMost()));
  }

  /** Empty without a block. */
  Optional<LabFigure> median(Aim.Median aim) {
    double[] values = values(aim.phases(), aim.measure(), aim.arm());
    if (values.length == 0 || !isMeasured(values)) {
      return Optional.empty();
    }
    Interval median = PairedRatios.medianOf(values, seed);
    return Optional.of(
        new LabFigure(
            aim.id(),
            median.median(),
            median.low(),
            median.high(),
            aim.measure().unit(),
            List.of(aim.arm()),
            scale,
            aim.asked().value(),
            aim.asked().isMetBy(median.median()),
            aim.paper(),
            "measured",
            aim.asked().atMost()));
  }

  /** Whether every block has the measure: what is no number was not met in it. */
  private static boolean isMeasured(double[] values) {
    return Arrays.stream(values).allMatch(Double::isFinite);
  }

  private static boolean hasZero(double[] values) {
    return Arrays.stream(values).anyMatch(value -> value == 0);
  }

  private double[] values(List<String> phases, BlockMeasure measure, String arm) {
    return phases.stream().flatMap(phase -> blocks(phase, arm)).mapToDouble(measure::of).toArray();
  }

  private Stream<BlockResult> blocks(String phase, String arm) {
    return BlockResult.repeats(blocks, phase, arm);
  }
}

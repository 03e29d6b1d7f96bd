package io.counterpart.lab.result.compare;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.UnpairedRatio;
import java.util.List;

/**
 * The recoveries of one phase and arm in two runs. They have a time, no throughput.
 *
 * @param phase name of the phase
 * @param arm name of the arm
 * @param secondsA the first run's, median
 * @param secondsB the second run's, median
 * @param wholeFractionA of the bytes received, 0 to 1, median
 * @param wholeFractionB likewise
 * @param secondsRatio seconds of b ÷ seconds of a, with its 95 % interval
 * @param falseAlarm as {@link ArmComparison} has it
 * @param verdict on b's time: "more", "less", or "no difference" where the interval holds 1
 */
public record RecoveryComparison(
    String phase,
    String arm,
    double secondsA,
    double secondsB,
    double wholeFractionA,
    double wholeFractionB,
    Interval secondsRatio,
    double falseAlarm,
    String verdict) {
  static RecoveryComparison of(
      String phase, String arm, List<BlockResult> a, List<BlockResult> b, long seed) {
    Interval ratio = UnpairedRatio.of(seconds(b), seconds(a), seed);
    return new RecoveryComparison(
        phase,
        arm,
        Interval.median(a, BlockResult::recoverySeconds),
        Interval.median(b, BlockResult::recoverySeconds),
        Interval.median(a, BlockResult::wholeFraction),
        Interval.median(b, BlockResult::wholeFraction),
        ratio,
        UnpairedRatio.falseAlarm(b.size(), a.size()),
        ratio.verdict());
  }

  /** Whether a block is a recovery and nothing else. */
  static boolean isOne(BlockResult block) {
    return block.operations() == 0 && block.recoverySeconds() > 0;
  }

  private static double[] seconds(List<BlockResult> blocks) {
    return blocks.stream().mapToDouble(BlockResult::recoverySeconds).toArray();
  }
}

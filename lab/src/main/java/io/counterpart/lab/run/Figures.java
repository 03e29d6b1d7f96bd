package io.counterpart.lab.run;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.PairedRatios;
import java.util.List;
import java.util.Optional;

/** Figures of merit from blocks: throughput against throughput, repeat by repeat. Stateless. */
final class Figures {
  private final List<BlockResult> blocks;
  private final String scale;
  private final long seed;

  private Figures(List<BlockResult> blocks, String scale, long seed) {
    this.blocks = blocks;
    this.scale = scale;
    this.seed = seed;
  }

  /** The figures whose arms all have blocks. */
  static List<LabFigure> of(List<Aim> aims, List<BlockResult> blocks, String scale, long seed) {
    Figures figures = new Figures(blocks, scale, seed);
    return aims.stream().flatMap(aim -> figures.figure(aim).stream()).toList();
  }

  private Optional<LabFigure> figure(Aim aim) {
    if (aim instanceof Aim.Throughput throughput) {
      return ratio(throughput);
    }
    if (aim instanceof Aim.Ratio ratio) {
      return new MeasureFigures(blocks, scale, seed).ratio(ratio);
    }
    if (aim instanceof Aim.Median median) {
      return new MeasureFigures(blocks, scale, seed).median(median);
    }
    return monotone((Aim.Monotone) aim);
  }

  private Optional<LabFigure> ratio(Aim.Throughput aim) {
    return ratio(aim.phase(), aim.arm(), aim.peer())
        .map(
            ratio ->
                new LabFigure(
                    aim.id(),
                    ratio.median(),
                    ratio.low(),
                    ratio.high(),
                    "ratio",
                    List.of(aim.arm(), aim.peer()),
                    scale,
                    aim.atLeast(),
                    ratio.median() >= aim.atLeast(),
                    aim.paper(),
                    ratio.verdict()));
  }

  private Optional<LabFigure> monotone(Aim.Monotone aim) {
    List<String> arms = aim.arms();
    boolean holds = true;
    for (int i = 1; i <= arms.size(); i++) {
      // each against the one before, and at the end the last against the first
      String peer = i < arms.size() ? arms.get(i - 1) : arms.get(0);
      String arm = i < arms.size() ? arms.get(i) : arms.get(arms.size() - 1);
      Optional<Interval> writes = ratio(aim.writes(), arm, peer);
      Optional<Interval> reads = ratio(aim.reads(), arm, peer);
      if (writes.isEmpty() || reads.isEmpty()) {
        return Optional.empty();
      }
      int least = i < arms.size() ? 0 : 1;
      holds &= direction(writes.get()) >= least && -direction(reads.get()) >= least;
    }
    double measured = holds ? 1 : 0;
    return Optional.of(
        new LabFigure(
            aim.id(),
            measured,
            measured,
            measured,
            "1 or 0",
            arms,
            scale,
            1,
            holds,
            aim.paper(),
            holds ? "monotone" : "not monotone"));
  }

  private Optional<Interval> ratio(String phase, String arm, String peer) {
    double[] own = throughput(phase, arm);
    double[] other = throughput(phase, peer);
    return own.length == 0 || own.length != other.length
        ? Optional.empty()
        : Optional.of(PairedRatios.of(own, other, seed));
  }

  /** 1 for more, -1 for less, 0 inside the noise. */
  private static int direction(Interval ratio) {
    return ratio.contains(1) ? 0 : ratio.median() > 1 ? 1 : -1;
  }

  private double[] throughput(String phase, String arm) {
    return BlockResult.repeats(blocks, phase, arm)
        .mapToDouble(BlockResult::operationsPerSecond)
        .toArray();
  }
}

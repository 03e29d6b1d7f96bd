package io.counterpart.lab.run;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.PairedRatios;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Figures of merit from blocks: throughput against throughput, repeat by repeat. Stateless. */
final class Figures {
  private Figures() {}

  /** The figures whose arms both have blocks. */
  static List<LabFigure> of(List<Aim> aims, List<BlockResult> blocks, String scale, long seed) {
    return aims.stream().flatMap(aim -> figure(aim, blocks, scale, seed).stream()).toList();
  }

  private static Optional<LabFigure> figure(
      Aim aim, List<BlockResult> blocks, String scale, long seed) {
    double[] own = throughput(blocks, aim.phase(), aim.arm());
    double[] peer = throughput(blocks, aim.phase(), aim.peer());
    if (own.length == 0 || own.length != peer.length) {
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
            aim.atLeast(),
            ratio.median() >= aim.atLeast(),
            aim.paper(),
            ratio.verdict()));
  }

  private static double[] throughput(List<BlockResult> blocks, String phase, String arm) {
    return blocks.stream()
        .filter(block -> block.phase().equals(phase) && block.arm().equals(arm))
        .sorted(Comparator.comparingInt(BlockResult::repeat))
        .mapToDouble(BlockResult::operationsPerSecond)
        .toArray();
  }
}

package io.counterpart.lab.staleness;

import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.PairedRatios;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Figures of merit of blocks on stale reads; those whose blocks are absent are left out. Stateless.
 *
 * <p>Cells are judged at 95 % for all of them together: each at 1 − 0.05 ÷ their number
 * (Bonferroni).
 */
final class StalenessFigures {
  private static final double ERROR = 0.05;
  private static final double MICROS = 1e6;
  private static final double HEADLINE_EPSILON = 0.01;
  private static final List<Integer> HEADLINE_REPLICAS = List.of(5, 7);

  private final List<BlockResult> blocks;
  private final String scale;
  private final long seed;

  private StalenessFigures(List<BlockResult> blocks, String scale, long seed) {
    this.blocks = blocks;
    this.scale = scale;
    this.seed = seed;
  }

  static List<LabFigure> of(List<BlockResult> blocks, String scale, long seed) {
    StalenessFigures figures = new StalenessFigures(blocks, scale, seed);
    List<LabFigure> all = new ArrayList<>();
    figures.cells(
        all,
        "crs.stale_cells_within",
        StaleCell.predicted(blocks),
        "stale reads within the predicted interval",
        StaleCell::meetsPrediction);
    figures.cells(
        all,
        "crs.stale_cells_within_bound",
        StaleCell.bounded(blocks),
        "stale reads at most ε",
        StaleCell::keepsBound);
    HEADLINE_REPLICAS.forEach(replicas -> figures.contacted(all, replicas));
    figures.overhead(all);
    return all;
  }

  private void cells(
      List<LabFigure> all,
      String id,
      List<StaleCell> cells,
      String arm,
      BiPredicate<StaleCell, Double> isWithin) {
    if (cells.isEmpty()) {
      return;
    }
    double confidence = 1 - ERROR / cells.size();
    List<String> outside =
        cells.stream()
            .filter(cell -> !isWithin.test(cell, confidence))
            .map(StaleCell::name)
            .toList();
    double share = 1 - (double) outside.size() / cells.size();
    all.add(
        figure(
            id,
            new Interval(share, share, share),
            "share of cells",
            List.of(arm),
            Bound.atLeast(1),
            outside.isEmpty()
                ? "all of %d cells".formatted(cells.size())
                : "outside, of %d cells: %s".formatted(cells.size(), String.join(", ", outside))));
  }

  private void contacted(List<LabFigure> all, int replicas) {
    double[] ratios =
        of(BoundStage.phase(StaleTable.STOCK, replicas), BoundStage.arm(HEADLINE_EPSILON)).stream()
            .filter(block -> block.counter(CellCounters.QUORUM) > 0)
            .mapToDouble(
                block ->
                    (double) block.counter(CellCounters.CONTACTED)
                        / block.counter(CellCounters.QUORUM))
            .toArray();
    if (ratios.length > 0) {
      all.add(
          figure(
              "crs.replicas_rf" + replicas,
              PairedRatios.medianOf(ratios, seed),
              "ratio",
              List.of(BoundStage.arm(HEADLINE_EPSILON), "quorum"),
              Bound.atMost(0.7),
              ""));
    }
  }

  private void overhead(List<LabFigure> all) {
    List<BlockResult> on = of(OverheadStage.PHASE, OverheadStage.ON);
    List<BlockResult> off = of(OverheadStage.PHASE, OverheadStage.OFF);
    int pairs = Math.min(on.size(), off.size());
    if (pairs == 0) {
      return;
    }
    double[] p50On = new double[pairs];
    double[] p50Off = new double[pairs];
    double[] cpuOn = new double[pairs];
    double[] cpuOff = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      p50On[i] = p50(on.get(i));
      p50Off[i] = p50(off.get(i));
      // what the handler's threads do in a block without it is for samples of the other block
      double left = off.get(i).counter(CellCounters.BACKGROUND_CPU_MICROS) / MICROS;
      cpuOn[i] = (on.get(i).server().cpuSeconds() + left) / on.get(i).operations();
      cpuOff[i] = (off.get(i).server().cpuSeconds() - left) / off.get(i).operations();
    }
    List<String> arms = List.of(OverheadStage.ON, OverheadStage.OFF);
    Bound asked = Bound.atMost(1.01);
    all.add(
        figure("crs.overhead_p50", PairedRatios.of(p50On, p50Off, seed), "ratio", arms, asked, ""));
    all.add(
        figure("crs.overhead_cpu", PairedRatios.of(cpuOn, cpuOff, seed), "ratio", arms, asked, ""));
  }

  private static double p50(BlockResult block) {
    return BlockResult.mergedLatencies(List.of(block)).getValueAtPercentile(50);
  }

  private LabFigure figure(
      String id, Interval value, String unit, List<String> arms, Bound asked, String note) {
    return new LabFigure(
        id,
        value.median(),
        value.low(),
        value.high(),
        unit,
        arms,
        scale,
        asked.value(),
        asked.isMetBy(value.median()),
        paper(id),
        unit.equals("ratio") ? value.verdict() : "measured",
        asked.atMost(),
        note);
  }

  private static String paper(String id) {
    if (id.startsWith("crs.replicas")) {
      return "fewer";
    }
    return id.startsWith("crs.overhead") ? "PBS: 1.087" : "";
  }

  private List<BlockResult> of(String phase, String arm) {
    return BlockResult.repeats(blocks, phase, arm)
        .filter(block -> block.operations() > 0)
        .collect(Collectors.toList());
  }
}

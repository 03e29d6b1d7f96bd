package io.counterpart.lab.result.compare;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.UnpairedRatio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Two runs of the same experiment.
 *
 * @param experiment its name
 * @param a the first run
 * @param b the second run
 * @param differences scale and configuration, where the runs differ
 * @param arms each phase and arm that both have, in the first run's order
 * @param recoveries likewise, of phases that restore a node
 * @param figures each figure that both have
 * @param onlyInA what the second run lacks: "phase arm", or a figure's name
 * @param onlyInB what the first run lacks
 */
public record Comparison(
    String experiment,
    RunSummary a,
    RunSummary b,
    List<Difference> differences,
    List<ArmComparison> arms,
    List<RecoveryComparison> recoveries,
    List<FigureComparison> figures,
    List<String> onlyInA,
    List<String> onlyInB) {
  // fixed, so that two files always compare alike
  private static final long RESAMPLING_SEED = 1;

  private record Cell(String phase, String arm) {
    @Override
    public String toString() {
      return phase + " " + arm;
    }
  }

  /**
   * Compares two runs.
   *
   * @throws IllegalArgumentException if they are of different experiments, or have no phase and arm
   *     in common
   */
  public static Comparison of(LabResult a, LabResult b) {
    if (!a.experiment().equals(b.experiment())) {
      throw new IllegalArgumentException(
          "different experiments: A is %s, B is %s".formatted(a.experiment(), b.experiment()));
    }
    Map<Cell, List<BlockResult>> own = cells(a);
    Map<Cell, List<BlockResult>> peer = cells(b);
    List<ArmComparison> arms = new ArrayList<>();
    List<RecoveryComparison> recoveries = new ArrayList<>();
    own.forEach(
        (cell, blocks) -> {
          List<BlockResult> others = peer.get(cell);
          if (others == null) {
            return;
          }
          if (RecoveryComparison.isOne(blocks.get(0))) {
            recoveries.add(
                RecoveryComparison.of(cell.phase(), cell.arm(), blocks, others, RESAMPLING_SEED));
          } else {
            arms.add(arm(cell, blocks, others));
          }
        });
    if (arms.isEmpty() && recoveries.isEmpty()) {
      throw new IllegalArgumentException(
          "no phase and arm in common: A has %s; B has %s".formatted(own.keySet(), peer.keySet()));
    }
    Map<String, LabFigure> ownFigures = figures(a);
    Map<String, LabFigure> peerFigures = figures(b);
    List<FigureComparison> figures = new ArrayList<>();
    ownFigures.forEach(
        (id, figure) -> {
          LabFigure other = peerFigures.get(id);
          if (other != null) {
            figures.add(FigureComparison.of(figure, other));
          }
        });
    return new Comparison(
        a.experiment(),
        RunSummary.of(a),
        RunSummary.of(b),
        Difference.between(settings(a), settings(b)),
        List.copyOf(arms),
        List.copyOf(recoveries),
        List.copyOf(figures),
        without(own, ownFigures, peer, peerFigures),
        without(peer, peerFigures, own, ownFigures));
  }

  private static ArmComparison arm(Cell cell, List<BlockResult> a, List<BlockResult> b) {
    Interval ratio = UnpairedRatio.of(throughput(b), throughput(a), RESAMPLING_SEED);
    return new ArmComparison(
        cell.phase(),
        cell.arm(),
        ArmMeasures.of(a),
        ArmMeasures.of(b),
        ratio,
        UnpairedRatio.falseAlarm(b.size(), a.size()),
        ratio.verdict());
  }

  private static double[] throughput(List<BlockResult> blocks) {
    return blocks.stream().mapToDouble(BlockResult::operationsPerSecond).toArray();
  }

  private static Map<Cell, List<BlockResult>> cells(LabResult result) {
    return result.blocks().stream()
        // a drain has nothing to compare
        .filter(block -> block.operations() > 0 || RecoveryComparison.isOne(block))
        .collect(
            Collectors.groupingBy(
                block -> new Cell(block.phase(), block.arm()),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private static Map<String, LabFigure> figures(LabResult result) {
    Map<String, LabFigure> figures = new LinkedHashMap<>();
    result.figures().forEach(figure -> figures.put(figure.id(), figure));
    return figures;
  }

  private static Map<String, Object> settings(LabResult result) {
    Map<String, Object> settings = new LinkedHashMap<>(result.config());
    settings.put("scale", result.scale());
    // hundreds of arcs, which follow from settings that are compared
    settings.remove(RingSummary.KEY);
    return settings;
  }

  private static List<String> without(
      Map<Cell, ?> cells, Map<String, ?> figures, Map<Cell, ?> peer, Map<String, ?> peerFigures) {
    List<String> only = new ArrayList<>();
    cells.keySet().stream()
        .filter(cell -> !peer.containsKey(cell))
        .forEach(cell -> only.add(cell.toString()));
    figures.keySet().stream().filter(id -> !peerFigures.containsKey(id)).forEach(only::add);
    return List.copyOf(only);
  }
}

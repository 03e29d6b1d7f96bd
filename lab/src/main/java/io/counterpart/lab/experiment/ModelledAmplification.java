package io.counterpart.lab.experiment;

import io.counterpart.core.simulator.Cluster;
import io.counterpart.core.simulator.Layout;
import io.counterpart.core.simulator.LayoutCost;
import io.counterpart.core.simulator.Simulation;
import io.counterpart.core.simulator.Storage;
import io.counterpart.core.simulator.Workload;
import io.counterpart.lab.result.Series;
import io.counterpart.lab.result.Series.Point;
import io.counterpart.lab.result.Series.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The simulator's amplification of one tree for all copies, at the paper's sizes and settings.
 * Deterministic: the same on every machine. docs/SIMULATOR.md lists what the model leaves out.
 */
final class ModelledAmplification {
  private static final List<Long> KEYS = List.of(100_000_000L, 300_000_000L, 600_000_000L);
  private static final long KEYS_BY_FACTOR = 300_000_000L;
  private static final double MILLION = 1e6;
  private static final int NODES = 5;
  private static final int TOKENS = 256;
  private static final int PAIR_BYTES = 1024;
  private static final double ZIPF = 0.99;
  // bytes that a node compacts while it flushes one: what comes closest to the paper's nodes
  private static final double LAGGING = 8;

  private final String name;
  private final List<Integer> factors;
  private final Map<Long, Map<Integer, LayoutCost>> costs = new LinkedHashMap<>();

  private ModelledAmplification(String name, List<Integer> factors, double compactionRate) {
    this.name = name;
    this.factors = factors;
    Storage paper = Storage.ofThePaper();
    Storage storage =
        new Storage(paper.memtableBytes(), paper.sstableBytes(), paper.memtables(), compactionRate);
    for (long keys : KEYS) {
      Workload workload = new Workload(keys, 0, PAIR_BYTES, ZIPF);
      Map<Integer, LayoutCost> byFactor = new LinkedHashMap<>();
      for (int factor : factors) {
        Cluster cluster = new Cluster(NODES, TOKENS, factor);
        byFactor.put(
            factor,
            new Simulation(cluster, workload, storage).run(new Layout.Uniform(Layout.Tree.LCS)));
      }
      costs.put(keys, byFactor);
    }
  }

  /** Curves for compaction that keeps up and for compaction that lags. */
  static List<Series> series(List<Integer> factors) {
    List<Series> series = new ArrayList<>();
    series.addAll(
        new ModelledAmplification("compaction keeps up", factors, Storage.UNLIMITED).curves());
    series.addAll(new ModelledAmplification("compaction lags", factors, LAGGING).curves());
    return series;
  }

  private List<Series> curves() {
    ToDoubleFunction<LayoutCost> writes = LayoutCost::writeAmplification;
    ToDoubleFunction<LayoutCost> reads = cost -> cost.primaryRead().checked();
    List<Series> curves = new ArrayList<>();
    curves.add(byFactor(AmplificationAxes.WRITES_BY_FACTOR, writes));
    curves.addAll(byKeys(AmplificationAxes.WRITES_BY_KEYS, writes));
    curves.add(
        AmplificationAxes.WRITES_RATIO.line(
            "model, " + name,
            Source.MODEL,
            KEYS.stream()
                .map(keys -> new Point(keys / MILLION, last(keys, writes) / first(keys, writes)))
                .toList()));
    curves.add(byFactor(AmplificationAxes.SSTABLES_BY_FACTOR, reads));
    curves.addAll(byKeys(AmplificationAxes.SSTABLES_BY_KEYS, reads));
    return curves;
  }

  private Series byFactor(AmplificationAxes axes, ToDoubleFunction<LayoutCost> value) {
    return axes.line(
        "model, 300 M keys, " + name,
        Source.MODEL,
        factors.stream()
            .map(factor -> new Point(factor, of(KEYS_BY_FACTOR, factor, value)))
            .toList());
  }

  private List<Series> byKeys(AmplificationAxes axes, ToDoubleFunction<LayoutCost> value) {
    return factors.stream()
        .map(
            factor ->
                axes.line(
                    "model, RF %d, %s".formatted(factor, name),
                    Source.MODEL,
                    KEYS.stream()
                        .map(keys -> new Point(keys / MILLION, of(keys, factor, value)))
                        .toList()))
        .toList();
  }

  private double first(long keys, ToDoubleFunction<LayoutCost> value) {
    return of(keys, factors.get(0), value);
  }

  private double last(long keys, ToDoubleFunction<LayoutCost> value) {
    return of(keys, factors.get(factors.size() - 1), value);
  }

  private double of(long keys, int factor, ToDoubleFunction<LayoutCost> value) {
    return value.applyAsDouble(
        Objects.requireNonNull(Objects.requireNonNull(costs.get(keys)).get(factor)));
  }
}

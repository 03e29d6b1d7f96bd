package io.counterpart.cli.simulate;

import io.counterpart.core.runs.RunPolicy;
import io.counterpart.core.simulator.Layout;
import io.counterpart.core.simulator.LayoutCost;
import io.counterpart.core.simulator.Simulation;
import java.util.ArrayList;
import java.util.List;

/** The rows of DEPART Table 1 and Figure 2, simulated. Not thread-safe. */
final class PaperSweep {
  private static final List<Integer> ORDERING = List.of(1, 10, 20, RunPolicy.UNLIMITED);
  private static final List<Long> KEYS = List.of(100_000_000L, 300_000_000L, 600_000_000L);
  private static final Layout UNIFORM = new Layout.Uniform(Layout.Tree.LCS);

  private final SimulationOptions options;

  PaperSweep(SimulationOptions options) {
    this.options = options;
  }

  /** S = 1, 10, 20 and without limit, and the uniform layout, at the given keys and RF. */
  List<LayoutCostRow> table1() {
    Simulation simulation = options.simulation();
    LayoutCost uniform = simulation.run(UNIFORM);
    List<LayoutCostRow> rows = new ArrayList<>();
    for (int runs : ORDERING) {
      LayoutCost cost = simulation.run(options.decoupled(runs));
      rows.add(new LayoutCostRow(cost, uniform, SimulateCommand.quorum(options.rf)));
    }
    rows.add(new LayoutCostRow(uniform, uniform, SimulateCommand.quorum(options.rf)));
    return rows;
  }

  /** Write amplification of the uniform layout by keys and RF, and as a multiple of RF 1. */
  List<AmplificationRow> figure2() {
    List<AmplificationRow> rows = new ArrayList<>();
    for (long keys : KEYS) {
      double single = amplification(keys, 1);
      for (int rf = 1; rf <= Math.min(3, options.nodes); rf++) {
        double amplification = amplification(keys, rf);
        rows.add(new AmplificationRow(keys, rf, amplification, amplification / single));
      }
    }
    return rows;
  }

  private double amplification(long keys, int rf) {
    return options.simulation(keys, rf).run(UNIFORM).writeAmplification();
  }
}

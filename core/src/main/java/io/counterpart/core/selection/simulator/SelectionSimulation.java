package io.counterpart.core.selection.simulator;

import io.counterpart.core.selection.SelectionRules;
import java.util.Arrays;

/**
 * Runs a scenario under one rule after another, with the same arrivals, keys and pauses. Stateless;
 * the same seed gives the same outcomes.
 */
public final class SelectionSimulation {
  private final Scenario scenario;
  private final SelectionRules rules;
  private final long seed;
  private final ZipfianKeys keys;

  /**
   * A simulation.
   *
   * @param rules the constants of NR
   */
  public SelectionSimulation(Scenario scenario, SelectionRules rules, long seed) {
    this.scenario = scenario;
    this.rules = rules;
    this.seed = seed;
    this.keys = new ZipfianKeys(scenario.load().keys(), scenario.load().zipf());
  }

  /** The outcome under that rule. */
  public SelectionOutcome run(RuleKind rule) {
    SimulationRun run = new SimulationRun(scenario, keys, seed);
    run.simulate(rule, rules);
    double[] millis = run.latencyMillis();
    Arrays.sort(millis);
    SelectionOutcome.Latency latency =
        new SelectionOutcome.Latency(
            percentile(millis, 0.5),
            percentile(millis, 0.99),
            percentile(millis, 0.999),
            run.answeredPerSecond());
    return new SelectionOutcome(
        rule, millis.length, latency, run.hitShare(), run.switchesPerMinute(), run.busiestShare());
  }

  private static double percentile(double[] ascending, double share) {
    if (ascending.length == 0) {
      return 0;
    }
    int index = (int) Math.ceil(share * ascending.length) - 1;
    return ascending[Math.max(0, index)];
  }
}

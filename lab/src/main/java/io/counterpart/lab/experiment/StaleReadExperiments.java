package io.counterpart.lab.experiment;

import io.counterpart.lab.staleness.BoundStage;
import io.counterpart.lab.staleness.NodeSetup;
import io.counterpart.lab.staleness.OverheadStage;
import io.counterpart.lab.staleness.StaleRateStage;
import io.counterpart.lab.staleness.StalenessExperiment;
import io.counterpart.lab.staleness.StalenessStage;
import io.counterpart.lab.staleness.client.PairPace;
import java.util.List;

/**
 * Stale reads by R and W, the replicas that reads contact under a bound, and the cost of the
 * handler that keeps it. Paper: CRS, Figures 5 and 6.
 *
 * <p>One machine delivers writes in less than a millisecond, so that nothing is ever stale. Delays
 * are made: of 200 ms on average where rates are compared, long against what a loaded machine adds,
 * so that a prediction for 10 ms is tested at 10 ms; of 20 ms where reads come 80 ms later.
 */
public final class StaleReadExperiments {
  private static final int NODES = 7;
  private static final int SMALL_HEAP = 384;
  private static final int HEAP = 600;
  private static final int USUAL_LOOK_SECONDS = 30;
  private static final int QUICK_LOOK_SECONDS = 2;
  private static final List<Double> EPSILONS = List.of(0.05, 0.01, 0.001);
  private static final StaleRateStage.Lateness LATE =
      new StaleRateStage.Lateness(200, List.of(10, 100));
  private static final BoundStage.Window WINDOW = new BoundStage.Window(20, 80);
  private static final int IN_FLIGHT = 512;
  private static final PairPace RATE_PACE = new PairPace(350, IN_FLIGHT);
  private static final PairPace BOUND_PACE = new PairPace(400, IN_FLIGHT);

  /** Two for each node: more would wait for a core, and the wait would be measured. */
  private static final PairPace CLOSED = new PairPace(0, 6);

  private StaleReadExperiments() {}

  /** Rates over N, R and W. */
  static StalenessExperiment rates(LabScale scale) {
    int pairs = isSmoke(scale) ? 900 : 9_000;
    return new StalenessExperiment(
        "crs-fig5",
        "CRS, Figure 5",
        "Stale reads by N, R and W: measured, and predicted by the coordinator",
        nodes(scale),
        List.of(rate(3, pairs), rate(5, pairs), rate(7, pairs)));
  }

  private static StalenessStage rate(int replicas, int pairs) {
    return new StaleRateStage(replicas, LATE, pairs, RATE_PACE);
  }

  /** Replicas contacted under a bound. */
  static StalenessExperiment bounds(LabScale scale) {
    // at small scale a look comes after 30 s, and levels fall at looks
    BoundStage.Load load =
        isSmoke(scale)
            ? new BoundStage.Load(2_400, 400, 2, BOUND_PACE)
            : new BoundStage.Load(14_000, 2_400, 5, BOUND_PACE);
    return new StalenessExperiment(
        "crs-fig6",
        "CRS, Figure 6",
        "Replicas contacted by reads under a bound of stale reads, against quorum",
        nodes(scale),
        List.of(
            new BoundStage(5, EPSILONS, WINDOW, load), new BoundStage(7, EPSILONS, WINDOW, load)));
  }

  /** The handler off and on. */
  static StalenessExperiment overhead(LabScale scale) {
    BoundStage.Load load =
        isSmoke(scale)
            ? new BoundStage.Load(1_000, 300, 3, CLOSED)
            : new BoundStage.Load(40_000, 2_000, 40, CLOSED);
    return new StalenessExperiment(
        "crs-overhead",
        "beyond CRS",
        "Latency and processor time of requests with the consistency handler, and without",
        new NodeSetup(3, HEAP, isSmoke(scale), USUAL_LOOK_SECONDS),
        List.of(new OverheadStage(load)));
  }

  private static NodeSetup nodes(LabScale scale) {
    return new NodeSetup(
        NODES, SMALL_HEAP, true, isSmoke(scale) ? QUICK_LOOK_SECONDS : USUAL_LOOK_SECONDS);
  }

  private static boolean isSmoke(LabScale scale) {
    return scale == LabScale.SMOKE;
  }
}

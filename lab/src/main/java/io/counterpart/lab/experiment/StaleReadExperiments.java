package io.counterpart.lab.experiment;

import io.counterpart.lab.staleness.BoundStage;
import io.counterpart.lab.staleness.NodeSetup;
import io.counterpart.lab.staleness.OverheadStage;
import io.counterpart.lab.staleness.StaleRateStage;
import io.counterpart.lab.staleness.StaleTable;
import io.counterpart.lab.staleness.StalenessExperiment;
import io.counterpart.lab.staleness.StalenessStage;
import io.counterpart.lab.staleness.WarmUpStage;
import io.counterpart.lab.staleness.client.PairPace;
import java.util.List;

/**
 * Stale reads by R and W, the replicas that reads contact under a bound, and the cost of the
 * handler that keeps it. Paper: CRS, Figures 5 and 6.
 *
 * <p>Cells differ in numbers of replicas and in levels, not in layouts. A read is stale by when the
 * replicas that it contacts got the write, which is made late before it reaches a memtable: what
 * keeps the copies does not bear on that, so there is no table by replica rank. The overhead is a
 * difference of the same table's requests with the handler and without.
 *
 * <p>One machine delivers writes in less than a millisecond, so that nothing is ever stale. Delays
 * are made, and long against what a loaded machine adds to the time between a write and a read, so
 * that a prediction for 100 ms is tested at 100 ms. With 500 ms on average, 5 ms more make 1 %
 * fewer stale reads.
 */
public final class StaleReadExperiments {
  /** One more than the most replicas, so that writes may have a coordinator without a copy. */
  private static final int NODES = 8;

  private static final int SMALL_HEAP = 384;
  private static final int HEAP = 600;
  private static final int USUAL_LOOK_SECONDS = 30;
  private static final int QUICK_LOOK_SECONDS = 2;
  private static final List<Double> EPSILONS = List.of(0.05, 0.01, 0.001);
  private static final StaleRateStage.Lateness LATE =
      new StaleRateStage.Lateness(500, List.of(100, 1_000));
  private static final BoundStage.Window WINDOW = new BoundStage.Window(100, 500);
  private static final int IN_FLIGHT = 512;

  /** Well below saturation: where threads wait for cores, reads come late. */
  private static final PairPace RATE_PACE = new PairPace(150, IN_FLIGHT);

  /** Each of two coordinators needs 1,979 samples in 30 s for 1 %, and more for a margin. */
  private static final PairPace BOUND_PACE = new PairPace(240, IN_FLIGHT);

  /** Two for each node: more would wait for a core, and the wait would be measured. */
  private static final PairPace CLOSED = new PairPace(0, 6);

  private StaleReadExperiments() {}

  /** Rates over N, R and W. */
  static StalenessExperiment rates(LabScale scale) {
    int pairs = RATE_PACE.perSecond() * (isSmoke(scale) ? 4 : 30);
    return new StalenessExperiment(
        "crs-fig5",
        "CRS, Figure 5",
        "Stale reads by N, R and W: measured, and predicted by the coordinator",
        nodes(scale),
        List.of(
            warmUp(scale),
            rate(StaleTable.STOCK, 3, pairs),
            rate(StaleTable.STOCK, 5, pairs),
            rate(StaleTable.STOCK, 7, pairs),
            rate(StaleTable.DECOUPLED, 3, pairs)));
  }

  private static StalenessStage rate(StaleTable kind, int replicas, int pairs) {
    return new StaleRateStage(kind, replicas, LATE, pairs, RATE_PACE);
  }

  /** Replicas contacted under a bound. */
  static StalenessExperiment bounds(LabScale scale) {
    return new StalenessExperiment(
        "crs-fig6",
        "CRS, Figure 6",
        "Replicas contacted by reads under a bound of stale reads, against quorum",
        nodes(scale),
        List.of(
            warmUp(scale),
            bound(StaleTable.STOCK, 5, scale),
            bound(StaleTable.STOCK, 7, scale),
            bound(StaleTable.DECOUPLED, 5, scale)));
  }

  private static StalenessStage bound(StaleTable kind, int replicas, LabScale scale) {
    int perSecond = BOUND_PACE.perSecond();
    // levels fall at looks: after 30 s, or 2 s
    BoundStage.Load load =
        isSmoke(scale)
            ? new BoundStage.Load(perSecond * 8, perSecond, 2, BOUND_PACE)
            : new BoundStage.Load(perSecond * 35, perSecond * 6, 5, BOUND_PACE);
    return new BoundStage(kind, replicas, EPSILONS, WINDOW, load);
  }

  /** The handler off and on. */
  static StalenessExperiment overhead(LabScale scale) {
    BoundStage.Load load =
        isSmoke(scale)
            ? new BoundStage.Load(1_000, 300, 3, CLOSED)
            // until both compilers of the nodes have little left to do
            : new BoundStage.Load(200_000, 2_000, 40, CLOSED);
    return new StalenessExperiment(
        "crs-overhead",
        "beyond CRS",
        "Latency and processor time of requests with the consistency handler, and without",
        new NodeSetup(3, HEAP, isSmoke(scale), USUAL_LOOK_SECONDS),
        List.of(new OverheadStage(load)));
  }

  private static StalenessStage warmUp(LabScale scale) {
    return new WarmUpStage(NODES, isSmoke(scale) ? 2_000 : 10_000);
  }

  private static NodeSetup nodes(LabScale scale) {
    return new NodeSetup(
        NODES, SMALL_HEAP, true, isSmoke(scale) ? QUICK_LOOK_SECONDS : USUAL_LOOK_SECONDS);
  }

  private static boolean isSmoke(LabScale scale) {
    return scale == LabScale.SMOKE;
  }
}

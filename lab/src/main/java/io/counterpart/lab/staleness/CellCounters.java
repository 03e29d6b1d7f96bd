package io.counterpart.lab.staleness;

import io.counterpart.core.staleness.Proportion;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.StalenessReport;
import io.counterpart.lab.result.BlockResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names of the counters of blocks on stale reads. Shares are in parts per million. */
final class CellCounters {
  /** Reads that missed a write acknowledged before they began. */
  static final String STALE_READS = "staleReads";

  /** The share of these, with the bounds of Clopper and Pearson at 95 %. */
  static final String STALE_PPM = "stalePpm";

  static final String STALE_LOW_PPM = "staleLowPpm";
  static final String STALE_HIGH_PPM = "staleHighPpm";

  /** Acknowledged versions that the stalest read missed. */
  static final String MOST_BEHIND = "mostVersionsBehind";

  /** The longest time for which a returned version had been outdated, in ms. */
  static final String OLDEST_MILLIS = "oldestMillis";

  /** Reads of a version older than one that the reader had seen of the key. */
  static final String NOT_MONOTONIC = "nonMonotonicReads";

  /** Reads of a version that nobody had sent: the check or the cluster is broken. */
  static final String IMPOSSIBLE = "impossibleReads";

  /** What the coordinator of the writes predicted, with its bounds at 95 %. */
  static final String PREDICTED_PPM = "predictedPpm";

  static final String PREDICTED_LOW_PPM = "predictedLowPpm";
  static final String PREDICTED_HIGH_PPM = "predictedHighPpm";

  /** Writes behind a prediction. */
  static final String SAMPLES = "samples";

  /** 1 for cells with R + W > N, which cannot be stale; absent for others. */
  static final String CONTROL = "control";

  /** The accepted share of stale reads. */
  static final String EPSILON_PPM = "epsilonPpm";

  /** Replicas that reads waited for, shadow reads included. */
  static final String CONTACTED = "replicasContacted";

  /** Replicas that the same reads wait for at QUORUM. */
  static final String QUORUM = "quorumReplicas";

  /** Repeated reads at ALL. */
  static final String SHADOW_READS = "shadowReads";

  /** Processor time of the handler's own threads on all nodes, in microseconds. */
  static final String BACKGROUND_CPU_MICROS = "backgroundCpuMicros";

  private static final double CONFIDENCE = 0.95;
  private static final double PPM = 1e6;

  private CellCounters() {}

  /** The counters of a verdict; the share only if there are reads. */
  static Map<String, Long> of(StalenessReport report) {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put(STALE_READS, report.stale());
    if (report.reads() > 0) {
      Proportion rate = report.rate();
      counters.put(STALE_PPM, ppm(rate.share()));
      counters.put(STALE_LOW_PPM, ppm(rate.low(CONFIDENCE)));
      counters.put(STALE_HIGH_PPM, ppm(rate.high(CONFIDENCE)));
    }
    counters.put(MOST_BEHIND, report.mostVersionsBehind());
    counters.put(OLDEST_MILLIS, Math.round(report.oldestMillis()));
    counters.put(NOT_MONOTONIC, report.violations().nonMonotonic());
    counters.put(IMPOSSIBLE, report.violations().impossible());
    return counters;
  }

  /** What counts for the run, whose end tells of wrong values: versions that nobody had sent. */
  static CheckOutcome outcome(StalenessReport report) {
    return CheckOutcome.NONE.plusWrong(report.violations().impossible());
  }

  /** The same where W + R > N: a stale read has lost what was acknowledged. */
  static CheckOutcome outcomeOfQuorums(StalenessReport report) {
    List<String> examples =
        report.stale() == 0 ? List.of() : List.of("although W + R > N: " + report);
    return outcome(report).plus(new CheckOutcome(0, report.stale(), 0, 0, examples));
  }

  static long ppm(double share) {
    return Math.round(share * PPM);
  }

  /** A share that a block has as parts per million. */
  static double share(BlockResult block, String name) {
    return block.counter(name) / PPM;
  }
}

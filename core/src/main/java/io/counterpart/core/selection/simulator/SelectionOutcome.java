package io.counterpart.core.selection.simulator;

/**
 * What a simulated cluster did under one rule.
 *
 * @param reads that were measured
 * @param p50Millis half of the reads took at most that; likewise p99 and p99.9
 * @param readsPerSecond answered, of those that arrived while it was measured
 * @param hitShare reads that a cache served, 0 to 1
 * @param switchesPerMinute moves of all rows of an arc, for one arc at one coordinator
 * @param busiestShare reads of the busiest node ÷ mean of all nodes
 */
public record SelectionOutcome(
    RuleKind rule,
    long reads,
    Latency latency,
    double hitShare,
    double switchesPerMinute,
    double busiestShare) {

  /** Latency of reads as clients see it; an unanswered one counts with the time-out. */
  public record Latency(
      double p50Millis, double p99Millis, double p999Millis, double readsPerSecond) {}
}

package io.counterpart.lab.result;

/**
 * The state of a run at one moment, taken about once a second under load.
 *
 * @param second since the run began
 * @param arm whose block ran
 * @param phase its phase
 * @param operationsPerSecond answered well since the sample before
 * @param pendingCompactions of the block's table, all nodes together
 * @param compactedBytes of the block's table since it was created, all nodes together
 * @param memtableBytes of all tables, all nodes together: they share one pool
 */
public record Sample(
    double second,
    String arm,
    String phase,
    double operationsPerSecond,
    long pendingCompactions,
    long compactedBytes,
    long memtableBytes) {}

package io.counterpart.lab.staleness;

/**
 * The repeatable plan of a run on stale reads. Delays are drawn by the nodes and not repeated.
 *
 * @param scale name of its scale, for the result
 * @param seed repeats the resampling of figures
 */
public record StalenessPlan(StalenessExperiment experiment, String scale, long seed) {}

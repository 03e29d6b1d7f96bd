package io.counterpart.lab.tier;

/**
 * The repeatable plan of a memory tier run.
 *
 * @param experiment stages, arms and figures
 * @param scale name of its scale, for the result
 * @param seed repeats keys, values and their order
 */
public record TierPlan(TierExperiment experiment, String scale, long seed) {}

package io.counterpart.lab.tier;

/**
 * What a run of the memory tier is to do, all of it repeatable.
 *
 * @param experiment stages, arms and figures
 * @param scale name of its scale, for the result
 * @param seed repeats keys, values and their order
 */
public record TierPlan(TierExperiment experiment, String scale, long seed) {}

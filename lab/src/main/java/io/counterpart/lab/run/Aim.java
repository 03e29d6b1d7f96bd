package io.counterpart.lab.run;

/**
 * A figure of merit: the throughput of one arm divided by that of another, pair by pair.
 *
 * @param id stable name
 * @param phase whose blocks
 * @param arm numerator
 * @param peer denominator
 * @param atLeast the ratio asked for
 * @param paper what the paper has, as text, or empty
 */
public record Aim(String id, String phase, String arm, String peer, double atLeast, String paper) {}

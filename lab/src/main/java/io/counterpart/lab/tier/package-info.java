/**
 * Runs experiments of the memory tier: real memcached servers, a tier and its proxy in this JVM on
 * a separate event loop, and a client that loads it; then reads everything back.
 *
 * <p>In: a {@link io.counterpart.lab.tier.TierExperiment}. Out: one {@link
 * io.counterpart.lab.result.LabResult}. Must not be here: the list of experiments, display,
 * Cassandra.
 */
@NullMarked
package io.counterpart.lab.tier;

import org.jspecify.annotations.NullMarked;

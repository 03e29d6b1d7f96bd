/**
 * Replays traces of requests against caches, without servers: the hit ratio of stripes as the
 * memory tier evicts them, beside SIEVE on single objects with as much memory for values. In:
 * sizes, a trace, memory. Out: hits, and what eviction moved. The order of eviction and the merges
 * are the classes that the tier runs. Plain JDK; every run repeats with its seed.
 */
@NullMarked
package io.counterpart.core.eviction.simulator;

import org.jspecify.annotations.NullMarked;

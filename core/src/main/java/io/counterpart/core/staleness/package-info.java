/**
 * How likely a read is to miss the last write: models of delays, simulated, with bounds. In go
 * delays and numbers of replicas, out come probabilities. Plain JDK; randomness comes from a seed.
 */
@NullMarked
package io.counterpart.core.staleness;

import org.jspecify.annotations.NullMarked;

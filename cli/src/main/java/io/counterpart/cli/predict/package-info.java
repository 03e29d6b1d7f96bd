/**
 * {@code counterpart predict}: the probability that a read misses the last write. In go numbers of
 * replicas and a model of delays, out comes a share with bounds. No node is contacted.
 */
@NullMarked
package io.counterpart.cli.predict;

import org.jspecify.annotations.NullMarked;

/**
 * One node of a local cluster, taken away and brought back. In: the recorded cluster. Out: signals
 * and processes, by {@link io.counterpart.cluster.Node}. Must not be here: tables and rings.
 */
@NullMarked
package io.counterpart.cli.node;

import org.jspecify.annotations.NullMarked;

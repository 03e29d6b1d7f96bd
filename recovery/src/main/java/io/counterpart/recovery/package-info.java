/**
 * Makes a node whole again through Cassandra's own rebuild, repair and replace, over JMX. In: a JMX
 * connection to the node, which may belong to a cluster that somebody else runs, and {@link
 * io.counterpart.core.recovery} for every decision. Out: restored ranges, a verdict by digest and
 * what each part took. Nothing is written but the state file that lets a run resume.
 */
@NullMarked
package io.counterpart.recovery;

import org.jspecify.annotations.NullMarked;

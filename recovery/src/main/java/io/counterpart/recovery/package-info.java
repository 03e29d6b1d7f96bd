/**
 * Recovers a node through Cassandra's own rebuild, repair and replacement, over JMX. In: a JMX
 * connection to the node, of any cluster, and {@link io.counterpart.core.recovery} for every
 * decision. Out: restored ranges, a verdict by digest and the time of each part. Writes only the
 * state file that lets a run resume.
 */
@NullMarked
package io.counterpart.recovery;

import org.jspecify.annotations.NullMarked;

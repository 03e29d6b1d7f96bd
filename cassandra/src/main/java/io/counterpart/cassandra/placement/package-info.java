/**
 * Placement of replicas by the order of the nodes' hashes, as a replication strategy. In: a state
 * of Cassandra's ring and a keyspace's replication options. Out: replicas, or a refusal with the
 * legal values. {@code core.placement} decides; nothing here does.
 *
 * <p>Must not be here: the order of reads ({@code locator}), and I/O.
 */
@NullMarked
package io.counterpart.cassandra.placement;

import org.jspecify.annotations.NullMarked;

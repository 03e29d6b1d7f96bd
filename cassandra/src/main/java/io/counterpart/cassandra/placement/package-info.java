/**
 * Placement of replicas as replication strategies: by the order of the nodes' hashes, and by the
 * classes of the nodes' storage engines. In: a state of Cassandra's ring and a keyspace's
 * replication options. Out: replicas, or a refusal with the legal values. {@code core.placement}
 * decides; nothing here does.
 *
 * <p>Must not be here: the order of reads ({@code locator}), and I/O.
 */
@NullMarked
package io.counterpart.cassandra.placement;

import org.jspecify.annotations.NullMarked;

/**
 * Read routing by replica order: which copy a coordinator asks first. In: replica lists in ring
 * order, primary first, as the replication strategy builds them. Out: the order to ask in. Latency
 * and liveness are not looked at here; Cassandra's dynamic snitch and failure detector do that.
 */
@NullMarked
package io.counterpart.cassandra.locator;

import org.jspecify.annotations.NullMarked;

/**
 * Read routing by replica order: which copy a coordinator asks first. In: replica lists in ring
 * order, primary first, as the replication strategy builds them. Out: the order to ask in. Measured
 * latency puts slow replicas back; the failure detector removes dead ones.
 */
@NullMarked
package io.counterpart.cassandra.locator;

import org.jspecify.annotations.NullMarked;

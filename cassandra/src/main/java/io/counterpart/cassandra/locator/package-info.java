/**
 * Read routing by replica order: which copy a coordinator asks first. In: replica lists in ring
 * order, primary first, as the replication strategy builds them. Out: the order to ask in. Slow
 * replicas are put back by their measured latency; liveness is the failure detector's matter.
 */
@NullMarked
package io.counterpart.cassandra.locator;

import org.jspecify.annotations.NullMarked;

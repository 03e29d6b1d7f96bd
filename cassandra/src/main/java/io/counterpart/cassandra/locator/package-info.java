/**
 * Read routing by replica order: which copy a coordinator asks first. In: replica lists in ring
 * order, primary first, as the replication strategy builds them; messages on their way, which time
 * the reads. Out: the order to ask in, and reports of every switch. Decisions are {@code
 * core.selection}'s; the failure detector removes dead replicas.
 */
@NullMarked
package io.counterpart.cassandra.locator;

import org.jspecify.annotations.NullMarked;

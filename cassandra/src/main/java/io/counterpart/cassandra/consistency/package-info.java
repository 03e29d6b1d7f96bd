/**
 * The consistency level of reads, adjusted on the coordinator: Cassandra's query handler, the
 * sampling of acknowledgements, policies of tables. In: requests, messages of writes, the table
 * {@code counterpart_config.consistency}. Out: the request with the level that {@code
 * core.staleness} decides, the level reported to the client, counts. Must not be here: estimates
 * and decisions, the order of replicas.
 */
@NullMarked
package io.counterpart.cassandra.consistency;

import org.jspecify.annotations.NullMarked;

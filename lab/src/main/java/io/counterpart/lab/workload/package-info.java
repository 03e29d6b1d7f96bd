/**
 * YCSB load on a Cassandra table: seeded, reproducible, every value derivable from its key and
 * version.
 *
 * <p>In: a workload description and a driver session. Out: phase outcomes (operations, time,
 * latencies) and the ledger of acknowledged versions that the check reads. Must not be here:
 * measurement of nodes, judgement of results.
 */
@NullMarked
package io.counterpart.lab.workload;

import org.jspecify.annotations.NullMarked;

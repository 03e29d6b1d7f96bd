/**
 * YCSB load on a Cassandra table: seeded, reproducible, every value derivable from its key and
 * version.
 *
 * <p>In: a workload description and a driver session. Out: phase outcomes (operations, time,
 * latencies) and the ledger of acknowledged versions that the checker reads. Must not be here: what
 * is measured on servers, how results are judged.
 */
@NullMarked
package io.counterpart.lab.workload;

import org.jspecify.annotations.NullMarked;

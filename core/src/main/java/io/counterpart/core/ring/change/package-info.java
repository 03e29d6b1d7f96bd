/**
 * Predicts what a change of the ring will stream and rewrite. In: nodes with their tokens and
 * racks, replication, bytes of tables on each node. Out: bytes per node and table. No Cassandra
 * type, no I/O.
 */
@NullMarked
package io.counterpart.core.ring.change;

import org.jspecify.annotations.NullMarked;

/**
 * What a change of the ring would stream and rewrite, before it is made. In: nodes with their
 * tokens and racks, replication, bytes of tables on each node. Out: bytes per node and table. No
 * Cassandra type, no I/O.
 */
@NullMarked
package io.counterpart.core.ring.change;

import org.jspecify.annotations.NullMarked;

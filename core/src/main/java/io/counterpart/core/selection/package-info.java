/**
 * Chooses the replica that a coordinator reads from. In: timings of reads by endpoint, endpoints in
 * ring order, the row's token as a share. Out: the order to ask in, and every switch with its
 * reason. Time is an argument; no clock, no I/O, nothing of Cassandra. {@code docs/SELECTION.md}
 * defines every symbol with a worked example.
 *
 * <p>Paper: CRS, the NR algorithm; the score is that of C3 (Suresh et al., NSDI 2015).
 */
@NullMarked
package io.counterpart.core.selection;

import org.jspecify.annotations.NullMarked;

/**
 * Sweeps of stores: walks in the background that purge what expired or was deleted in partitions
 * that nobody writes any more.
 *
 * <p>In: a table's store, and which deletions a merge may drop. Out: steps of a walk, paced. Not
 * here: what a step does to entries, and what else is due in the background. Design:
 * docs/ENGINES.md.
 */
@NullMarked
package io.counterpart.cassandra.engine.sweep;

import org.jspecify.annotations.NullMarked;

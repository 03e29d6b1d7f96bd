/**
 * Writes that reach a table's store before they are acknowledged.
 *
 * <p>In: updates of partitions from many threads. Out: groups of them, committed by one thread.
 * {@link DataElsewhere} says for them, and for flushes, what a purge has to spare. Design:
 * docs/ENGINES.md. Not here: how a partition is merged into a store ({@code engine.store}),
 * flushes.
 */
@NullMarked
package io.counterpart.cassandra.engine.direct;

import org.jspecify.annotations.NullMarked;

/**
 * Tables whose flushes go to a storage engine: a memtable implementation.
 *
 * <p>In: Cassandra's calls of memtables, schema changes, truncations. Out: flushes absorbed by a
 * store or spilled to sstables, as {@code core.engine} decides; reads merged from memtable and
 * store. Design: docs/ENGINES.md. Not here: the format of stores ({@code store}), engines.
 */
@NullMarked
package io.counterpart.cassandra.engine;

import org.jspecify.annotations.NullMarked;

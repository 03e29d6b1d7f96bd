/**
 * Partitions in a key-value store.
 *
 * <p>In: partitions of a memtable; keys, slices and ranges that a read asks for. Out: entries of a
 * {@link io.counterpart.engine.KvStore}; partitions as iterators. Formats: docs/ENGINES.md. Not
 * here: when memtables are flushed, and where to.
 */
@NullMarked
package io.counterpart.cassandra.engine.store;

import org.jspecify.annotations.NullMarked;

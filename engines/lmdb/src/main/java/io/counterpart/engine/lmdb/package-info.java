/**
 * Stores in LMDB, a copy-on-write B+tree in a memory-mapped file.
 *
 * <p>In: the calls of {@link io.counterpart.engine.KvStore}. Out: one {@code data.mdb} a store. Not
 * here: anything about Cassandra.
 */
@NullMarked
package io.counterpart.engine.lmdb;

import org.jspecify.annotations.NullMarked;

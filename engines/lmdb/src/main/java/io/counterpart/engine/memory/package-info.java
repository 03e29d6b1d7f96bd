/**
 * Stores whose hot entries are in memory, one by one, before a durable store.
 *
 * <p>In: the calls of {@link io.counterpart.engine.KvStore}. Out: the same calls to the store
 * behind, less the reads that memory answers. Not here: LMDB.
 */
@NullMarked
package io.counterpart.engine.memory;

import org.jspecify.annotations.NullMarked;

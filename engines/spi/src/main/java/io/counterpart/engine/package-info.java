/**
 * What a storage engine provides: a durable key-value store in the order of unsigned bytes.
 *
 * <p>In: keys, values and batches as bytes. Out: snapshots, cursors, sizes. Not here: Cassandra's
 * types, the meaning of keys and values, engines themselves.
 */
@NullMarked
package io.counterpart.engine;

import org.jspecify.annotations.NullMarked;

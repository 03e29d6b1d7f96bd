/**
 * The persistent store as one table of Cassandra, through the Java driver. In: reads and writes of
 * objects; out: CQL, with timestamps of ours. When what is written must not be here.
 */
@NullMarked
package io.counterpart.cache.store.cassandra;

import org.jspecify.annotations.NullMarked;

/**
 * The persistent store as one Cassandra table, through the Java driver. In: reads and writes of
 * objects; out: CQL with timestamps of our own. The decision when to write must not be here.
 */
@NullMarked
package io.counterpart.cache.store.cassandra;

import org.jspecify.annotations.NullMarked;

/**
 * What the flush of an engine's memtable is made of, Cassandra's own way of flushing, and spills
 * apart from flushes: knows memtables and stores, but no table of an engine.
 */
@NullMarked
package io.counterpart.cassandra.engine.flush;

import org.jspecify.annotations.NullMarked;

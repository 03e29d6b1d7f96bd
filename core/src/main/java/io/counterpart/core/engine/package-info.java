/**
 * Decisions about tables whose data is in a storage engine.
 *
 * <p>In: why a memtable is flushed, and facts about its table. Out: where the flush goes, with the
 * reason. Not here: engines and Cassandra's types.
 */
@NullMarked
package io.counterpart.core.engine;

import org.jspecify.annotations.NullMarked;

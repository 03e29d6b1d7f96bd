/**
 * The compaction strategy: Cassandra's hooks, thin around the decisions of {@code core}. In:
 * sstables that Cassandra adds and removes, flushes, requests for tasks. Out: writers and
 * compaction tasks. {@code core.runs} decides which work is due, {@code cassandra.ring} what an
 * sstable holds.
 */
@NullMarked
package io.counterpart.cassandra.compaction;

import org.jspecify.annotations.NullMarked;

/**
 * The compaction strategy: Cassandra's hooks, thin around the decisions of {@code core}. In:
 * sstables that Cassandra adds and removes, flushes, requests for tasks. Out: writers and
 * compaction tasks. What is due is decided in {@code core.runs}; what an sstable holds in {@code
 * cassandra.ring}.
 */
@NullMarked
package io.counterpart.cassandra.compaction;

import org.jspecify.annotations.NullMarked;

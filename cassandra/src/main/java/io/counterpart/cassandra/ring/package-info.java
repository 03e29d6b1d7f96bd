/**
 * Cassandra's ring turned into {@link io.counterpart.core.ring.RingView}, and sstables classified
 * against it. In: token metadata, replication strategy, sstables. Out: roles. No compaction here.
 */
@NullMarked
package io.counterpart.cassandra.ring;

import org.jspecify.annotations.NullMarked;

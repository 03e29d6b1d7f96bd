/**
 * Writers of sstables: flushes and streams spread over buckets, rewrites cut at range groups. In:
 * partitions in token order, the ring, estimates of keys. Out: sstables with Bloom filters of their
 * own size, and their bytes counted by role. Which sstables are rewritten is not decided here.
 */
@NullMarked
package io.counterpart.cassandra.writer;

import org.jspecify.annotations.NullMarked;

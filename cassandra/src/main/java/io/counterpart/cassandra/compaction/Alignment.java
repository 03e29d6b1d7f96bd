package io.counterpart.cassandra.compaction;

import com.codahale.metrics.Counter;
import io.counterpart.cassandra.ring.RingSnapshot;

/**
 * How a rewrite cuts its output.
 *
 * @param ring whose range groups no output crosses
 * @param sstableBytes size on disk at which an output is closed
 * @param writtenBytes counts what the rewrite writes
 */
record Alignment(RingSnapshot ring, long sstableBytes, Counter writtenBytes) {}

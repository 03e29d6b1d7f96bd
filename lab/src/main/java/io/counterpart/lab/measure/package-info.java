/**
 * Readings of nodes: bytes, CPU, sstables per read, memory, files, streams.
 *
 * <p>In: a running cluster. Out: numbers of one table over one phase, as deltas of Cassandra's own
 * counters. Must not be here: judgement, comparison between arms, printing.
 */
@NullMarked
package io.counterpart.lab.measure;

import org.jspecify.annotations.NullMarked;

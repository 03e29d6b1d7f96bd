/**
 * Counts the bytes that storage layouts write, without Cassandra and without keys: sstables are
 * ranges with an expected share of the keys in them.
 *
 * <p>In: a {@link io.counterpart.core.simulator.Workload} and a {@link
 * io.counterpart.core.simulator.Layout}. Out: {@link io.counterpart.core.simulator.LayoutCost},
 * bytes by cause and by role, and sstables per read. Split and merge decisions are those of {@code
 * core.runs}, the same classes that the plugin asks. Not here: time, threads, disks, parsing,
 * printing.
 *
 * <p>Everything is an expectation over keys hashed evenly to the ring, so a simulation is
 * deterministic and needs no seed.
 */
@NullMarked
package io.counterpart.core.simulator;

import org.jspecify.annotations.NullMarked;

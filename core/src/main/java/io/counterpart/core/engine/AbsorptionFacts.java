package io.counterpart.core.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What it depends on whether a table's sstables go into its store now.
 *
 * @param next where a routine flush that began now would go
 * @param current whether the table is on the engine: its writes go to the engine's memtable
 * @param compacting whether Cassandra may compact the table by itself
 * @param spills flushes that write the store to sstables now
 * @param quiet time since the last one has ended, or since the start
 * @param delay least time between a spill and the absorption of its sstables; null for never
 */
public record AbsorptionFacts(
    FlushDecision next,
    boolean current,
    boolean compacting,
    int spills,
    Duration quiet,
    @Nullable Duration delay) {}

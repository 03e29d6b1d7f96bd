package io.counterpart.core.engine;

/**
 * What becomes of a memtable whose flush has failed depends on this.
 *
 * @param current whether the table's writes still go to memtables of the same engine, which read
 *     its stores
 * @param serverAway whether the stores are on a server that is away, as {@link ServerAbsence}
 * @param stopping whether the node is about to stop
 */
public record RepeatFacts(boolean current, boolean serverAway, boolean stopping) {}

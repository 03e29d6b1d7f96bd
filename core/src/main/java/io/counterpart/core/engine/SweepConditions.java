package io.counterpart.core.engine;

/**
 * What a table says about a sweep of its store.
 *
 * @param current whether the table is on the engine: its writes go to the engine's memtable
 * @param inMemory whether the store is in memory alone
 * @param keepsDeletions whether the operator has deletions kept
 * @param frozen whether there are stores beside the one that absorbs
 * @param serverAway whether the store's server is away
 */
public record SweepConditions(
    boolean current,
    boolean inMemory,
    boolean keepsDeletions,
    boolean frozen,
    boolean serverAway) {}

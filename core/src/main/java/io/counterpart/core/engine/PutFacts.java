package io.counterpart.core.engine;

/**
 * What it depends on whether a write goes to the store at once.
 *
 * @param mode of the table's configuration
 * @param indexed whether the table has a secondary index of any kind
 * @param viewed whether the table has materialized views
 * @param byRank whether redundant copies stay in sstables
 * @param replaying whether the node replays its commit log, or has not joined the ring yet
 * @param truncating whether the stores are about to be emptied
 */
public record PutFacts(
    WriteMode mode,
    boolean indexed,
    boolean viewed,
    boolean byRank,
    boolean replaying,
    boolean truncating) {}

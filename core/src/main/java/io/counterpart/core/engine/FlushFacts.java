package io.counterpart.core.engine;

/**
 * What the target of a flush depends on beside its cause.
 *
 * @param indexed whether the table has a secondary index of any kind
 * @param viewed whether the table has materialized views
 * @param snapshotOnDrop whether DROP takes a snapshot ({@code auto_snapshot})
 * @param foreignPartitions whether the stores have partitions that the node does not replicate
 * @param redundantPartitions whether the stores of a table that keeps primary copies alone in them
 *     have others
 * @param adoptedStores whether there are stores of another engine
 * @param inMemoryAlone whether what the store has ends with the process
 * @param hidesOnDisk whether memtables have deletions that would be in memory alone, of rows that
 *     may be in sstables which stay
 * @param full whether the store has no room for the table's memtables
 * @param serverAway whether the stores are on a server that is away, as {@link ServerAbsence}
 */
public record FlushFacts(
    boolean indexed,
    boolean viewed,
    boolean snapshotOnDrop,
    boolean foreignPartitions,
    boolean redundantPartitions,
    boolean adoptedStores,
    boolean inMemoryAlone,
    boolean hidesOnDisk,
    boolean full,
    boolean serverAway) {}

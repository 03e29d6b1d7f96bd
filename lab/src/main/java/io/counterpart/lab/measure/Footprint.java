package io.counterpart.lab.measure;

/**
 * What one table occupies on disk, summed over the nodes.
 *
 * @param liveBytes bytes of live sstables, as Cassandra counts them
 * @param sstables live sstables
 * @param files files in the table's directories, snapshots and backups left out; {@link
 *     #NOT_MEASURED} where the directories cannot be seen
 * @param flushes memtables flushed so far
 */
public record Footprint(long liveBytes, long sstables, long files, long flushes) {
  /** In place of a number that nobody knows. */
  public static final long NOT_MEASURED = -1;
}

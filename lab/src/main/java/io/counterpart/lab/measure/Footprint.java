package io.counterpart.lab.measure;

/**
 * What one table occupies on disk, summed over the nodes.
 *
 * @param liveBytes bytes of live sstables, as Cassandra counts them
 * @param sstables live sstables
 * @param files files in the table's directories, snapshots and backups left out
 * @param flushes memtables flushed so far
 */
public record Footprint(long liveBytes, long sstables, long files, long flushes) {
  Footprint plus(Footprint other) {
    return new Footprint(
        liveBytes + other.liveBytes,
        sstables + other.sstables,
        files + other.files,
        flushes + other.flushes);
  }
}

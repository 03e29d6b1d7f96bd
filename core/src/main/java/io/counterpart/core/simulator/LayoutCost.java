package io.counterpart.core.simulator;

/**
 * The cost of a layout; bytes are of the whole cluster.
 *
 * @param layout name of the layout
 * @param userBytes bytes that clients wrote, before replication
 * @param commitLogBytes bytes appended to commit logs: every copy once
 * @param flushedBytes bytes of flushed memtables
 * @param treeBytes bytes written by compaction within LSM-trees
 * @param splitBytes bytes written by splits of the global log
 * @param mergeBytes bytes written by merges of sorted runs
 * @param diskBytes bytes on disk in the end, before compression as all of the above
 * @param byRole bytes after compression, by role
 * @param tablesPerNode sstables on one node in the end
 * @param primaryRead a read served by the primary copy
 * @param redundantRead a read served by a redundant copy; as {@code primaryRead} where there is
 *     none
 */
public record LayoutCost(
    String layout,
    double userBytes,
    double commitLogBytes,
    double flushedBytes,
    double treeBytes,
    double splitBytes,
    double mergeBytes,
    double diskBytes,
    CostByRole byRole,
    long tablesPerNode,
    ReadCost primaryRead,
    ReadCost redundantRead) {

  /** Bytes written in the background: tree, split and merge. */
  public double compactedBytes() {
    return treeBytes + splitBytes + mergeBytes;
  }

  /** Bytes flushed and compacted on all nodes for one byte that a client wrote. */
  public double writeAmplification() {
    return (flushedBytes + compactedBytes()) / userBytes;
  }

  /**
   * Write throughput as a multiple of {@code other}'s, when bytes written are the bottleneck: the
   * inverse ratio of commit log, flushed and compacted bytes.
   */
  public double writeThroughputVersus(LayoutCost other) {
    return other.writtenBytes() / writtenBytes();
  }

  /**
   * Read throughput as a multiple of {@code other}'s, when looking at sstables is the bottleneck:
   * the inverse ratio of sstables checked by a read of {@code copies} copies, primary first.
   *
   * @param copies copies that a read waits for, 1 (CL ONE) or more
   */
  public double readThroughputVersus(LayoutCost other, int copies) {
    return other.checked(copies) / checked(copies);
  }

  private double writtenBytes() {
    return commitLogBytes + flushedBytes + compactedBytes();
  }

  private double checked(int copies) {
    return primaryRead.checked() + (copies - 1) * redundantRead.checked();
  }
}

package io.counterpart.core.simulator;

/**
 * The cost of one structure of one node.
 *
 * @param flushedBytes bytes flushed into it
 * @param treeBytes bytes written by compaction within an LSM-tree
 * @param splitBytes bytes written by splits of the global log
 * @param mergeBytes bytes written by merges of sorted runs
 * @param diskBytes bytes on disk in the end
 * @param segmentBytes those of them in segments that wait for a split
 * @param tables sstables on disk in the end
 * @param read cost of a read, the mean over the second half of the writes: a read just after a
 *     split is cheap and just before one dear, so the end alone says little
 */
record StructureCost(
    double flushedBytes,
    double treeBytes,
    double splitBytes,
    double mergeBytes,
    double diskBytes,
    double segmentBytes,
    long tables,
    ReadCost read) {

  /** Bytes written in the background. */
  double compactedBytes() {
    return treeBytes + splitBytes + mergeBytes;
  }
}

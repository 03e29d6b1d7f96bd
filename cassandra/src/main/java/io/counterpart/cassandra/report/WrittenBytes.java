package io.counterpart.cassandra.report;

/**
 * Bytes that a table has written since the node started.
 *
 * @param flushedPrimary by flushes and streams, primary copies
 * @param flushedRedundant by flushes and streams, redundant copies
 * @param split by splits and realignments, redundant copies
 * @param merged by merges of sorted runs
 * @param primaryBatch by rewrites of primary copies outside the tree, batches above all
 * @param primaryTree by the primary tree's own compactions
 */
public record WrittenBytes(
    long flushedPrimary,
    long flushedRedundant,
    long split,
    long merged,
    long primaryBatch,
    long primaryTree) {

  /** In the modes without a log all copies are in trees, and count as primary. */
  public static WrittenBytes ofTrees(long flushed, long compacted) {
    return new WrittenBytes(flushed, 0, 0, 0, 0, compacted);
  }

  /** Bytes written to disk for each byte flushed, primary copies; 0 before the first flush. */
  public double primaryWriteAmplification() {
    return ratio(flushedPrimary + primaryBatch + primaryTree, flushedPrimary);
  }

  /** Bytes written to disk for each byte flushed, redundant copies; 0 before the first flush. */
  public double redundantWriteAmplification() {
    return ratio(flushedRedundant + split + merged, flushedRedundant);
  }

  private static double ratio(long written, long flushed) {
    return flushed == 0 ? 0 : (double) written / flushed;
  }
}

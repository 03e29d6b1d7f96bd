package io.counterpart.core.simulator;

/**
 * One finished piece of background work.
 *
 * @param writtenBytes bytes written, at least 0 (an sstable that only changes its level writes
 *     none)
 */
record Compaction(Cause cause, double writtenBytes) {
  /** Why the bytes were written again. */
  enum Cause {
    /** compaction within an LSM-tree */
    TREE,
    /** global log to sorted runs */
    SPLIT,
    /** sorted runs of a range group into one */
    MERGE
  }
}

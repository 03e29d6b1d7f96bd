package io.counterpart.cassandra.writer;

import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.ILifecycleTransaction;
import org.apache.cassandra.db.lifecycle.LifecycleNewTracker;
import org.apache.cassandra.io.sstable.SSTable;

/**
 * Tracks the outputs of a rewrite without showing its inputs. A writer that sees the inputs asks
 * the key cache for every key once per input, to carry cached positions over: with dozens of inputs
 * that was 40 % of a split's CPU time.
 */
final class OutputTracker implements LifecycleNewTracker {
  /** Inputs above which cached key positions are not carried over to the output. */
  private static final int MAX_INPUTS_WITH_KEY_CACHE = 8;

  private final LifecycleNewTracker rewrite;

  private OutputTracker(LifecycleNewTracker rewrite) {
    this.rewrite = rewrite;
  }

  /** The transaction itself where it has few inputs, or one that does not show them. */
  static LifecycleNewTracker of(ILifecycleTransaction rewrite) {
    return rewrite.originals().size() <= MAX_INPUTS_WITH_KEY_CACHE
        ? rewrite
        : new OutputTracker(rewrite);
  }

  @Override
  public void trackNew(SSTable table) {
    rewrite.trackNew(table);
  }

  @Override
  public void untrackNew(SSTable table) {
    rewrite.untrackNew(table);
  }

  @Override
  public OperationType opType() {
    return rewrite.opType();
  }
}

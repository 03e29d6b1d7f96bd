package io.counterpart.cassandra.engine.flush;

import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.EncodingStats;

/**
 * Whether a memtable has got deletions, or what is to expire. Its least time of deletion does not
 * tell: Cassandra counts a write without any as one of 2015. Thread-safe.
 */
public final class WrittenDeletions {
  private static final long NONE = EncodingStats.NO_STATS.minLocalDeletionTime;

  private volatile boolean any;

  /** Notes a write, before it comes in. */
  public void note(PartitionUpdate update) {
    // a deletion of a whole partition may be made without statistics
    if (!any && (update.stats().minLocalDeletionTime != NONE || !update.deletionInfo().isLive())) {
      any = true;
    }
  }

  /** Whether there were some. */
  public boolean any() {
    return any;
  }
}

package io.counterpart.cassandra.compaction;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Drops sstables in which every cell has expired, and leaves those that must stay after all. A
 * stock task would merge the latter into one sstable, across trees and groups.
 */
final class ExpireTask extends PlannedTask {
  private final Consumer<SSTableReader> mustStay;

  /**
   * @param mustStay takes each input that is left after all, in the thread that runs the task
   */
  ExpireTask(
      ColumnFamilyStore cfs,
      LifecycleTransaction txn,
      long gcBefore,
      What what,
      Consumer<SSTableReader> mustStay) {
    super(cfs, txn, gcBefore, what);
    this.mustStay = mustStay;
  }

  @Override
  protected void runMayThrow() throws Exception {
    leaveWhatShadows();
    if (!transaction.originals().isEmpty()) {
      super.runMayThrow();
    }
  }

  /** Older data may have come since the decision, in a memtable or a stream: they must not show. */
  void leaveWhatShadows() {
    try (CompactionController controller = getCompactionController(transaction.originals())) {
      Set<SSTableReader> expired = controller.getFullyExpiredSSTables();
      for (SSTableReader input : List.copyOf(transaction.originals())) {
        if (!expired.contains(input)) {
          // first: once it is free it may be offered again
          mustStay.accept(input);
          transaction.cancel(input);
        }
      }
    }
  }
}

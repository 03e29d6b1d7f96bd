package io.counterpart.cassandra.compaction;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;

/**
 * An operator's compaction of a whole table: first the sstables that span range groups, then one
 * group after the other. Each step is a transaction of its own, so disk space is needed only for
 * the largest step, and finished steps stay done when the rest is stopped.
 */
final class CompactAllTask extends AbstractCompactionTask {
  private final PlannedTask wide;
  private final Supplier<@Nullable AbstractCompactionTask> nextGroup;

  /**
   * @param wide the first step
   * @param nextGroup makes the next step each time that it is asked; null after the last. What it
   *     throws ends the task
   */
  CompactAllTask(
      ColumnFamilyStore cfs,
      PlannedTask wide,
      Supplier<@Nullable AbstractCompactionTask> nextGroup) {
    super(cfs, wide.transaction());
    this.wide = wide;
    this.nextGroup = nextGroup;
  }

  @Override
  public AbstractCompactionTask setUserDefined(boolean userDefined) {
    wide.setUserDefined(userDefined);
    return super.setUserDefined(userDefined);
  }

  @Override
  public AbstractCompactionTask setCompactionType(OperationType type) {
    wide.setCompactionType(type);
    return super.setCompactionType(type);
  }

  @Override
  protected int executeInternal(ActiveCompactionsTracker active) {
    int sstables = wide.execute(active);
    for (AbstractCompactionTask group = nextGroup.get(); group != null; group = nextGroup.get()) {
      group.setUserDefined(isUserDefined).setCompactionType(compactionType);
      sstables += group.execute(active);
    }
    return sstables;
  }

  @Override
  protected void runMayThrow() {
    throw new UnsupportedOperationException("executed step by step");
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore store,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpiredSSTables) {
    throw new UnsupportedOperationException("each step has a writer of its own");
  }
}

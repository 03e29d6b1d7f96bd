package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.report.TaskLog;
import io.counterpart.core.plan.Reason;
import io.counterpart.core.plan.TaskKind;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compaction that records its kind and reason in the log and in {@code counterpart.tasks}. Its
 * output is the stock one: one sstable.
 */
class PlannedTask extends CompactionTask {
  private static final Logger logger = LoggerFactory.getLogger(PlannedTask.class);

  private final What what;

  /** What a task is, for people. */
  record What(TaskKind kind, Reason reason) {}

  PlannedTask(ColumnFamilyStore cfs, LifecycleTransaction txn, long gcBefore, What what) {
    super(cfs, txn, gcBefore);
    this.what = what;
  }

  LifecycleTransaction transaction() {
    return transaction;
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(what.kind(), transaction);
  }

  @Override
  protected void runMayThrow() throws Exception {
    String id = transaction.opId().toString();
    int inputs = transaction.originals().size();
    long bytes = Catalog.bytes(transaction.originals());
    logger.info(
        "{} ({}) of {} sstables, {} bytes, of {}.{}: {}",
        what.kind(),
        what.reason().text(),
        inputs,
        bytes,
        cfs.getKeyspaceName(),
        cfs.getTableName(),
        id);
    TaskLog.NODE.begin(
        new TaskLog.Start(
            id,
            cfs.getKeyspaceName(),
            cfs.getTableName(),
            what.kind().name(),
            what.reason().text(),
            inputs,
            bytes));
    boolean done = false;
    try {
      super.runMayThrow();
      done = true;
    } finally {
      TaskLog.NODE.end(id, done);
    }
  }
}

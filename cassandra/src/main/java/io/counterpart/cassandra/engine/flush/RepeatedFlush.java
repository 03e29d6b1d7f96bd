package io.counterpart.cassandra.engine.flush;

import com.google.common.base.Throwables;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Flushing;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flush of a memtable whose first one has failed: what Cassandra does in one, with the public
 * parts of it. The memtables of the table's indexes, which a flush that fails leaves out, come
 * first: a kill in between then repeats all from the commit log. Not thread-safe.
 */
public final class RepeatedFlush {
  private static final Logger logger = LoggerFactory.getLogger(RepeatedFlush.class);

  private record Part(ColumnFamilyStore table, Memtable memtable) {}

  private final ColumnFamilyStore table;
  private final Memtable memtable;

  /**
   * @param memtable one of the table's that are being flushed
   */
  public RepeatedFlush(ColumnFamilyStore table, Memtable memtable) {
    this.table = table;
    this.memtable = memtable;
  }

  /**
   * Writes the sstables, puts them in the place of the memtables, and lets go of these once no
   * reader is left that began before.
   *
   * @throws RuntimeException if that fails: the memtable stays
   */
  public void run() {
    RepeatedFlushes repeated = RepeatedFlushes.of(table);
    for (Part index : indexes()) {
      flush(index, () -> {});
      release(index);
    }
    Part own = new Part(table, memtable);
    flush(own, repeated::noteNow);
    CommitLog.instance.discardCompletedSegments(
        table.metadata.id,
        memtable.getCommitLogLowerBound(),
        memtable.getFinalCommitLogUpperBound());
    release(own);
  }

  /** The memtables that were switched out with this one. */
  private List<Part> indexes() {
    List<Part> parts = new ArrayList<>();
    for (ColumnFamilyStore index : table.indexManager.getAllIndexColumnFamilyStores()) {
      for (Memtable each : index.getTracker().getView().flushingMemtables) {
        if (each.getFinalCommitLogUpperBound() == memtable.getFinalCommitLogUpperBound()) {
          parts.add(new Part(index, each));
        }
      }
    }
    return parts;
  }

  /**
   * @param written runs when the sstables are written, before they are live
   */
  private static void flush(Part part, Runnable written) {
    List<SSTableReader> sstables = List.of();
    if (!part.memtable().isClean()) {
      try {
        sstables = written(part);
      } catch (Throwable failure) {
        // the disk's failure policy
        JVMStabilityInspector.inspectThrowable(failure);
        Throwables.throwIfInstanceOf(failure, VirtualMachineError.class);
        throw new IllegalStateException(failure);
      }
    }
    written.run();
    part.table().getTracker().replaceFlushed(part.memtable(), sstables);
    if (!sstables.isEmpty()) {
      CompactionManager.instance.submitBackground(part.table());
    }
  }

  /** What fails from here on is no flush: sstables are in the memtable's place. */
  private static void release(Part part) {
    OpOrder.Barrier readers = part.table().readOrdering.newBarrier();
    readers.issue();
    readers.await();
    try {
      part.memtable().discard();
    } catch (RuntimeException e) {
      logger.warn("Stores of {} cannot be told of a flush", part.table().metadata, e);
    }
  }

  private static List<SSTableReader> written(Part part) throws Throwable {
    try (LifecycleTransaction transaction = LifecycleTransaction.offline(OperationType.FLUSH)) {
      List<SSTableMultiWriter> writers = new ArrayList<>();
      List<Flushing.FlushRunnable> runnables = null;
      try {
        // a second one is refused otherwise
        part.memtable().setFlushTransaction(null);
        runnables = Flushing.flushRunnables(part.table(), part.memtable(), transaction);
        part.table().indexManager.flushAllNonCFSBackedIndexesBlocking(part.memtable());
        for (Flushing.FlushRunnable each : runnables) {
          writers.add(each.call());
        }
      } catch (Throwable t) {
        throw transaction.abort(Flushing.abortRunnables(runnables, t));
      }
      return SSTableCommit.of(transaction, writers);
    }
  }
}

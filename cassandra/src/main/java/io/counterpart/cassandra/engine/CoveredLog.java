package io.counterpart.cassandra.engine;

import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far a table's commit log is in its stores or in sstables. */
final class CoveredLog {
  private static final Logger logger = LoggerFactory.getLogger(CoveredLog.class);

  private final EngineTable table;

  /** Whether more is covered than the stores say. */
  private final AtomicBoolean due = new AtomicBoolean();

  CoveredLog(EngineTable table) {
    this.table = table;
  }

  /**
   * One more memtable is in the stores or in sstables. A store on a server is told by the next
   * {@link #tick}: this thread flushes or releases memory for all tables, and must not wait.
   *
   * @param optional as {@link #advance(boolean)}
   */
  void covered(boolean optional) {
    if (table.stores().isOnServer()) {
      due.set(true);
    } else {
      advance(optional);
    }
  }

  /** Tells the stores what is due, if their server is there. */
  void tick() {
    if (!table.server().isAway() && due.getAndSet(false)) {
      try {
        advance();
      } catch (StoreAwayException e) {
        due.set(true);
        table.server().note(e);
      }
    }
  }

  /**
   * Records that the commit log is in the stores or in sstables up to the first memtable that is
   * neither: a memtable whose flush has failed stays where it is. Nothing is recorded before the
   * end of replay, whose log is older.
   */
  void advance() {
    if (!StorageService.instance.isInitialized()) {
      return;
    }
    CommitLogPosition end = null;
    for (Memtable memtable : table.table().getTracker().getView().getAllMemtables()) {
      boolean covered =
          memtable instanceof EngineMemtable own && own.isOf(table) && own.isCovered();
      CommitLogPosition from = covered ? null : memtable.getCommitLogLowerBound();
      // the newest one's is not known while it is made
      if (from != null && (end == null || from.compareTo(end) < 0)) {
        end = from;
      }
    }
    try {
      if (end != null) {
        table.stores().advance(end);
      }
    } catch (StoreClosedException dropped) {
      logger.debug("{} is dropped", table.table().metadata, dropped);
    }
  }

  /**
   * As {@link #advance()}.
   *
   * @param optional whether a store that fails does no harm: the next time makes up for it
   */
  private void advance(boolean optional) {
    try {
      advance();
    } catch (StoreException e) {
      if (!optional) {
        throw e;
      }
      logger.warn(
          "Cannot record how far {} covers the commit log; a restart would repeat writes",
          table.table().metadata,
          e);
    }
  }

  /**
   * Has the commit log's replay, which comes next, leave out what the stores have absorbed. A
   * replay would do no harm but for deletions that were purged: their own mutations may be gone
   * from the log while older ones are still there. Sstables say in their metadata what they cover;
   * a store says it in the record that Cassandra keeps for TRUNCATE, whose time stays as it is.
   */
  void record() {
    ColumnFamilyStore cfs = table.table();
    CommitLogPosition absorbed = table.stores().bounds().absorbed();
    // a TRUNCATE in between must not be overwritten with what was read before it
    synchronized (SystemKeyspace.class) {
      CommitLogPosition recorded = SystemKeyspace.getTruncatedPosition(cfs.metadata.id);
      if (absorbed.compareTo(recorded == null ? CommitLogPosition.NONE : recorded) > 0) {
        long truncatedAt = SystemKeyspace.getTruncatedAt(cfs.metadata.id);
        SystemKeyspace.saveTruncationRecord(cfs, truncatedAt, absorbed);
      }
    }
  }
}

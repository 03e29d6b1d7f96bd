package io.counterpart.cassandra.engine;

import com.google.common.collect.Ordering;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.NoSpamLogger;
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

  /**
   * As {@link #covered}, where stores may go only afterwards: on a full disk their end is what
   * makes room.
   *
   * @return false if the next {@link #tick} tries again
   */
  boolean coveredOrLater() {
    try {
      covered(false);
      return true;
    } catch (StoreException e) {
      due.set(true);
      logger.warn("Stores of {} that are in sstables stay until it is recorded", table.table(), e);
      return false;
    }
  }

  /**
   * Tells the stores what is due, if their server is there.
   *
   * @return false if they could not be told
   */
  boolean tick() {
    if (!due.get() || table.server().isAway() || !StorageService.instance.isInitialized()) {
      return true;
    }
    due.set(false);
    try {
      advance();
      return true;
    } catch (StoreException e) {
      // a server may take back a refusal, too
      due.set(true);
      table.server().note(e);
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          1,
          TimeUnit.MINUTES,
          "Stores cannot record how far they cover the commit log; a restart would repeat writes",
          e);
      return false;
    }
  }

  /** Records in the stores how far the commit log is in them or in sstables. */
  void advance() {
    CommitLogPosition end = end();
    try {
      if (end.compareTo(CommitLogPosition.NONE) > 0) {
        table.stores().advance(end);
      }
    } catch (StoreClosedException dropped) {
      logger.debug("{} is dropped", table.table().metadata, dropped);
    }
  }

  /**
   * The first memtable that is neither in stores nor in sstables: one whose flush has failed stays
   * where it is. None before the end of replay, whose log is older.
   */
  private CommitLogPosition end() {
    CommitLogPosition end = CommitLogPosition.NONE;
    Tracker tracker = table.table().getTracker();
    // a table makes its first memtable before there is a tracker
    if (!StorageService.instance.isInitialized() || tracker == null) {
      return end;
    }
    for (Memtable memtable : tracker.getView().getAllMemtables()) {
      boolean covered =
          memtable instanceof EngineMemtable own && own.isOf(table) && own.isCovered();
      CommitLogPosition from = covered ? null : memtable.getCommitLogLowerBound();
      // the newest one's is not known while it is made
      if (from != null && (end.equals(CommitLogPosition.NONE) || from.compareTo(end) < 0)) {
        end = from;
      }
    }
    return end;
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
    // stores on a server may not be told yet
    CommitLogPosition absorbed = Ordering.natural().max(table.stores().bounds().absorbed(), end());
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

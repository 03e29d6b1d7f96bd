package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.flush.FlushCauses;
import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.engine.StoreException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.Future;
import org.apache.cassandra.utils.concurrent.Transactional.AbstractTransactional.State;
import org.jspecify.annotations.Nullable;

/**
 * The flush of a memtable: its causes until it begins, and the decision then. It may be repeated if
 * it fails. Thread-safe.
 */
final class MemtableFlush {
  private final EngineTable table;
  private final EngineMemtable memtable;
  private FlushCause cause = FlushCause.ROUTINE;
  private @Nullable EngineFlush flush;

  /** Set for a repetition whose parts nobody has asked for yet. */
  private boolean due;

  private boolean repeated;

  MemtableFlush(EngineTable table, EngineMemtable memtable) {
    this.table = table;
    this.memtable = memtable;
  }

  /**
   * Someone asks for a flush. Who holds the lock of the table's memtables switches this one next.
   * Another one may be there first, whose flush Cassandra would wait for without telling of its
   * failure. So who has no lock, as a snapshot, gets a flush of the newest one here.
   *
   * @throws RuntimeException if it would miss what it needs
   */
  void ask(ColumnFamilyStore.FlushReason reason) {
    ColumnFamilyStore cfs = table.table();
    FlushCause asked = FlushCauses.of(reason, cfs);
    boolean isInTime = note(asked);
    boolean isNext = Thread.holdsLock(cfs.getTracker());
    if (isNext || isInTime && !asked.isRefusable()) {
      return;
    }
    Future<?> next = cfs.forceFlush(reason);
    if (asked.isRefusable()) {
      FBUtilities.waitOnFuture(next);
    }
  }

  /**
   * Someone asks for a flush.
   *
   * @return false if it comes too late: the flush has begun for a weaker cause
   * @throws StoreException if the stores, which it needs, do not answer
   * @throws IllegalStateException if it would miss what a flush that failed has
   */
  private boolean note(FlushCause asked) {
    table.server().require(asked);
    if (asked.isRefusable()) {
      table.failedFlushes().requireNone(asked.toString());
    }
    return isInTime(asked);
  }

  private synchronized boolean isInTime(FlushCause asked) {
    if (!asked.outweighs(cause)) {
      return true;
    }
    if (flush != null) {
      return false;
    }
    cause = asked;
    return true;
  }

  /** The flush, the last one if it was repeated; null if none has begun. */
  synchronized @Nullable EngineFlush begun() {
    return flush;
  }

  /**
   * Has the memtable flushed once more, after its flush has failed. What follows takes the parts,
   * and begins with them.
   *
   * @param withStores whether the stores go to sstables too
   */
  void repeat(boolean withStores) {
    CopyShare share = table.copies().now();
    EngineFlush next =
        withStores
            ? new EngineFlush(table, memtable, share, FlushCause.LEAVING, FlushDecision.LEAVES)
            : new EngineFlush(table, memtable, share, FlushCause.ROUTINE, FlushDecision.REPEATED);
    abandon();
    synchronized (this) {
      flush = next;
      due = true;
      repeated = true;
    }
  }

  /** Lets go of what a flush that has failed holds. */
  void abandon() {
    EngineFlush failed = begun();
    if (failed != null) {
      table.spills().abandon(failed);
    }
  }

  /** Whether a repetition has been asked for: it may be under way. */
  synchronized boolean isRepeated() {
    return repeated;
  }

  private synchronized @Nullable EngineFlush due() {
    EngineFlush repetition = due ? flush : null;
    due = false;
    return repetition;
  }

  private synchronized boolean isForDrop() {
    return cause == FlushCause.DROP;
  }

  boolean isCommitted() {
    return isIn(State.COMMITTED);
  }

  /** Whether it has failed, so that the memtable stays until it is repeated. */
  boolean isAborted() {
    return isIn(State.ABORTED);
  }

  private boolean isIn(State state) {
    LifecycleTransaction transaction = memtable.getFlushTransaction();
    return transaction != null && transaction.state() == state;
  }

  /**
   * The flush, begun if it is not.
   *
   * @param leaves whether the table has another configuration by now
   */
  EngineFlush begun(boolean leaves) {
    EngineFlush repetition = due();
    if (repetition != null) {
      repetition.begin();
      return repetition;
    }
    EngineFlush known = begun();
    if (known != null) {
      return known;
    }
    if (isForDrop()) {
      // the stores go with the table: what an earlier failure says of the server is not enough
      table.server().isThere();
    }
    // these ask the ring and stores, which may take long
    CopyShare share = table.copies().now();
    FlushFacts facts = table.facts(share);
    EngineFlush begun;
    synchronized (this) {
      if (flush != null) {
        return flush;
      }
      // without an engine of its own a table leaves again with the next flush
      boolean waits = facts.serverAway() && !table.stores().absorbs() && table.isCurrent();
      FlushCause last = leaves && !waits ? FlushCause.LEAVING : cause;
      begun = new EngineFlush(table, memtable, share, last, FlushDecision.of(last, facts));
      flush = begun;
    }
    begun.begin();
    return begun;
  }
}

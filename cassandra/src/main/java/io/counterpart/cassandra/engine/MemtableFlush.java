package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.flush.FlushCauses;
import io.counterpart.cassandra.engine.flush.UnlockedWait;
import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.engine.StoreException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.Future;
import org.apache.cassandra.utils.concurrent.Transactional.AbstractTransactional.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flush of a memtable: its causes until it begins, and the decision then. It may be repeated if
 * it fails. Thread-safe.
 */
final class MemtableFlush {
  private static final Logger logger = LoggerFactory.getLogger(MemtableFlush.class);

  private final EngineTable table;
  private final EngineMemtable memtable;
  private final TableMetadata schema;
  private FlushCause cause = FlushCause.ROUTINE;
  private @Nullable EngineFlush flush;

  /** Set for a repetition whose parts nobody has asked for yet. */
  private boolean due;

  private boolean repeated;

  MemtableFlush(EngineTable table, EngineMemtable memtable) {
    this.table = table;
    this.memtable = memtable;
    this.schema = memtable.metadata();
  }

  /**
   * Someone asks for a flush. Who needs the stores in sstables waits here until most of them are
   * there, since Cassandra ends flushes in their order: one that takes long holds up all tables.
   * Who holds the lock of the table's memtables switches this one next, unless somebody has done so
   * in that time. Another one may be there first, whose flush Cassandra would wait for without
   * telling of its failure. So who has no lock, as a snapshot, gets a flush of the newest one here.
   *
   * @throws RuntimeException if it would miss what it needs
   */
  void ask(ColumnFamilyStore.FlushReason reason) {
    ColumnFamilyStore cfs = table.table();
    FlushCause asked = FlushCauses.of(reason, cfs);
    require(asked);
    boolean waits =
        !table.spills().hasWaited()
            && asked.awaitsStores(cfs.isAutoSnapshotEnabled())
            && table.spills().isDue();
    if (waits) {
      awaitSpill(asked);
      require(asked);
    }
    // not before: a flush in between needs no stores
    boolean isInTime = isInTime(asked);
    boolean isAnswered =
        Thread.holdsLock(cfs.getTracker()) ? isNewest() : isInTime && !asked.isRefusable();
    if (isAnswered) {
      return;
    }
    Future<?> next = waits ? table.spills().flushOnce(reason) : cfs.forceFlush(reason);
    if (asked.isRefusable()) {
      UnlockedWait.on(next, cfs.getTracker());
    }
  }

  /**
   * Whether the memtable of a table with another configuration stays until most of the stores are
   * in sstables: not where its rows look different now, since no memtable outlives that.
   */
  boolean leavesLater() {
    TableMetadata now = memtable.metadata();
    // any ALTER makes a new comparator, mostly an equal one
    return now.comparator.equals(schema.comparator)
        && now.regularAndStaticColumns().equals(schema.regularAndStaticColumns())
        && memtable.leaves()
        && table.spills().leavesLater();
  }

  /**
   * Waits until most of the stores are in sstables: the flush has little to spill then. Others may
   * flush the table meanwhile.
   *
   * @throws RuntimeException if that fails, and who asks would miss what it needs
   */
  private void awaitSpill(FlushCause asked) {
    ColumnFamilyStore cfs = table.table();
    try {
      UnlockedWait.on(
          table.spills().begin("a flush for " + asked + " needs them"), cfs.getTracker());
    } catch (RuntimeException e) {
      if (asked.isRefusable()) {
        throw e;
      }
      logger.warn("The stores of {} are left to its flush", cfs.metadata, e);
    }
  }

  /**
   * Where a flush goes that begins now: round a server that is away, and round stores with much in
   * them, which are spilled apart then, unless it needs them in its own sstables.
   */
  FlushDecision target(FlushCause cause, FlushDecision first) {
    if (!first.spills()) {
      return first;
    }
    boolean readLater = !table.stores().absorbs() && table.isCurrent();
    if ((!cause.needsStores() || readLater) && !table.server().isThere()) {
      return FlushDecision.BYPASS;
    }
    boolean isApart =
        first.mayGoApart(cause, readLater)
            && !isAsked()
            && table.spills().spillsApart(first.reason());
    return isApart ? FlushDecision.APART : first;
  }

  /**
   * Refuses who would miss something.
   *
   * @throws StoreException if the stores, which it needs, do not answer
   * @throws IllegalStateException if it would miss what a flush that failed has
   */
  private void require(FlushCause asked) {
    table.server().require(asked);
    if (asked.isRefusable()) {
      table.failedFlushes().requireNone(asked.toString());
    }
  }

  /** Whether somebody reads the stores in sstables, also where the table leaves with each flush. */
  private synchronized boolean isAsked() {
    return cause.awaitsStores(table.table().isAutoSnapshotEnabled());
  }

  private boolean isNewest() {
    return table.table().getTracker().getView().getCurrentMemtable() == memtable;
  }

  /** Not if it comes too late: the flush has begun for a weaker cause. */
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
    FlushFacts facts =
        TableFacts.of(
            table.table(),
            table.stores(),
            share,
            table.server().isAway(),
            table.absorption()::keepsSome);
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

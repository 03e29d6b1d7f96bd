package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.cold.ColdTables;
import io.counterpart.cassandra.engine.direct.DirectWrites;
import io.counterpart.cassandra.engine.flush.KeyspaceSpills;
import io.counterpart.cassandra.engine.flush.RepeatedFlushes;
import io.counterpart.cassandra.engine.flush.Truncations;
import io.counterpart.cassandra.engine.server.ServerWatch;
import io.counterpart.cassandra.engine.server.StoredBytes;
import io.counterpart.cassandra.engine.share.StoredCopies;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.OverlappingStores;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.cassandra.engine.sweep.NodeTable;
import io.counterpart.cassandra.engine.sweep.TableSweep;
import io.counterpart.cassandra.report.EngineGauges;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.core.engine.ServerAbsence;
import io.counterpart.engine.StoreClosedException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One table on an engine: its stores, and what its memtables share. Thread-safe. */
final class EngineTable {
  private static final Logger logger = LoggerFactory.getLogger(EngineTable.class);

  private final ColumnFamilyStore table;
  private final Generations stores;
  private final OverlappingStores overlapping;
  private final StoredCopies copies;
  private final SSTableAbsorption absorption;
  private final TableSweep sweep;
  private final ServerWatch server;
  private final StoredBytes bytes;
  private final FrozenStores frozenStores;
  private final CoveredLog log;
  private final DirectWrites direct;
  private final TableSpills spills = new TableSpills(this);
  private final FailedFlushes failedFlushes = new FailedFlushes(this);
  private final RoutineFlushes routine = new RoutineFlushes(this);
  private final Truncations truncations = new Truncations();
  private final INotificationConsumer notified = this::onNotification;

  /** Memtables that were switched out and are not flushed; a flush that failed stays one. */
  private final AtomicInteger unflushed = new AtomicInteger();

  private int memtables;
  private long entered;
  private boolean watched;
  private volatile boolean closed;

  /**
   * @param keyspace spills of the table's keyspace
   * @param absence of the engine's server
   */
  EngineTable(
      ColumnFamilyStore table, Generations stores, KeyspaceSpills keyspace, ServerAbsence absence) {
    this.table = table;
    this.stores = stores;
    this.overlapping = new OverlappingStores(stores);
    this.copies = new StoredCopies(table);
    this.log = new CoveredLog(this);
    this.direct = new DirectWrites(table, overlapping, () -> copies.now().isAll(), log::advance);
    this.server = new ServerWatch(table.metadata, stores, absence);
    this.bytes = new StoredBytes(stores, server::isAway, System::nanoTime);
    this.frozenStores = new FrozenStores(() -> table.getTracker().getCompacting(), stores);
    this.absorption = new SSTableAbsorption(this, keyspace, null);
    this.sweep =
        new TableSweep(
            String.valueOf(table.metadata),
            new NodeTable(table, overlapping, direct, server, this::isCurrent, log::advance));
    // a truncation that a kill cut off, or that came while the table was on another engine; a new
    // store has nothing from before one that is under way now and is recorded later
    long truncatedAt = SystemKeyspace.getTruncatedAt(table.metadata.id);
    boolean isNew = table.getTracker() != null && stores.isEmpty();
    stores.catchUp(isNew ? Math.max(truncatedAt, Clock.Global.currentTimeMillis()) : truncatedAt);
    if (stores.isCold()) {
      ColdTables.NODE.add(table.metadata, this::restored);
    }
    EngineGauges.NODE.add(table.metadata.keyspace, table.metadata.name, bytes);
  }

  /** Reads that chose their sstables before all were there have failed by then. */
  private void restored() {
    table.readOrdering.awaitNewBarrier();
    stores.restored();
  }

  ColumnFamilyStore table() {
    return table;
  }

  Generations stores() {
    return stores;
  }

  /** The stores, and those of engines that the table has left and that are still there. */
  OverlappingStores overlapping() {
    return overlapping;
  }

  /** Which copies belong in the store. */
  StoredCopies copies() {
    return copies;
  }

  SSTableAbsorption absorption() {
    return absorption;
  }

  TableSweep sweep() {
    return sweep;
  }

  ServerWatch server() {
    return server;
  }

  /** What its stores hold. */
  StoredBytes bytes() {
    return bytes;
  }

  DirectWrites direct() {
    return direct;
  }

  /** What is due in the background, but what takes long. Not to be called twice at once. */
  void tick() {
    // after the position: a replay would bring back what is purged then
    if (log.tick() && !server.isAway()) {
      frozenStores.dropDue();
    }
    if (!closed) {
      routine.tick();
    }
  }

  /** Those that wait to be dropped. */
  FrozenStores frozenStores() {
    return frozenStores;
  }

  /** Its spills, and the memtables that come before each. */
  TableSpills spills() {
    return spills;
  }

  /** Flushes that failed. */
  FailedFlushes failedFlushes() {
    return failedFlushes;
  }

  /** Whether writes go to one of its memtables. */
  boolean isCurrent() {
    return !closed
        && table.getTracker().getView().getCurrentMemtable() instanceof EngineMemtable current
        && current.isOf(this);
  }

  boolean isClosed() {
    return closed;
  }

  /** Takes partitions of sstables into the store, with all their deletions. */
  void absorbUnpurged(List<ImmutableBTreePartition> partitions) {
    PurgeRule never = new PurgeRule(Long.MIN_VALUE, FBUtilities.nowInSeconds(), key -> true);
    stores.absorb(partitions, () -> never);
  }

  /** Asked every few seconds, and so without what reads sstables: as if nothing was deleted. */
  FlushDecision nextRoutineFlush() {
    FlushFacts facts = TableFacts.of(table, stores, copies.now(), server.isAway(), () -> false);
    return FlushDecision.of(FlushCause.ROUTINE, facts);
  }

  /** The position in the commit log up to which all is in stores or sstables. */
  CoveredLog log() {
    return log;
  }

  /**
   * One more memtable.
   *
   * @param parameters from now on
   * @return its number, which is higher than those of all before it
   */
  synchronized long enter(EngineParameters parameters) {
    memtables++;
    absorption.after(parameters.absorbAfter());
    sweep.after(parameters.sweepAfter());
    if (table.getTracker() == null) {
      log.record();
    } else {
      watch();
    }
    return ++entered;
  }

  /** The first memtable comes before there is something to subscribe to. */
  private synchronized void watch() {
    if (!watched && table.getTracker() != null) {
      watched = true;
      table.getTracker().subscribe(notified);
    }
  }

  /** One memtable less. */
  synchronized void leave() {
    memtables--;
  }

  /** Whether no memtable is left: the table has left the engine. */
  synchronized boolean hasLeft() {
    return memtables == 0;
  }

  private void onNotification(Object notification, Object sender) {
    if (notification instanceof TruncationNotification truncation && !closed) {
      // before anything is emptied; what is live by then is older than the truncation, or it is
      // refused
      failedFlushes.requireNone("TRUNCATE");
      truncations.begin();
      try {
        RepeatedFlushes.check(table, truncation.truncatedAt);
        logger.info("Emptying the stores of {}, which is truncated", table.metadata);
        direct.truncate(() -> empty(truncation.truncatedAt));
      } finally {
        // also those that have begun in between have read what is gone
        truncations.end();
      }
    }
  }

  private void empty(long truncatedAt) {
    try {
      stores.truncate(truncatedAt);
    } catch (StoreClosedException e) {
      // the table has left the engine meanwhile
      if (!closed) {
        throw e;
      }
    }
  }

  Truncations truncations() {
    return truncations;
  }

  void switchedOut() {
    watch();
    unflushed.incrementAndGet();
  }

  void flushed() {
    unflushed.decrementAndGet();
  }

  int unflushed() {
    return unflushed.get();
  }

  /** Whether neither stores nor memtables on their way to them have data. */
  boolean isEmpty() {
    // every TRUNCATE asks, if it does not switch the memtable
    watch();
    return closed || unflushed.get() == 0 && stores.isEmpty();
  }

  /** No reads come any more. */
  void close(boolean delete) {
    closed = true;
    EngineGauges.NODE.remove(table.metadata.keyspace, table.metadata.name, bytes);
    direct.close();
    if (table.getTracker() != null) {
      table.getTracker().unsubscribe(notified);
    }
    if (delete) {
      logger.info("Deleting the stores {} of {}", stores.directory(), table.metadata);
      stores.delete();
    } else {
      stores.close();
    }
  }
}

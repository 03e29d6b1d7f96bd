package io.counterpart.cassandra.engine.direct;

import io.counterpart.cassandra.engine.store.OverlappingStores;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.cassandra.failure.StoreFailures;
import io.counterpart.core.engine.PutDecision;
import io.counterpart.core.engine.PutFacts;
import io.counterpart.core.engine.WriteMode;
import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one table that go to its store before they are acknowledged. Paper: MyCassandra
 * §3.1, but beside Cassandra's own commit log, and in groups. Thread-safe.
 */
public final class DirectWrites {
  private final ColumnFamilyStore table;
  private final OverlappingStores stores;
  private final BooleanSupplier storesAll;
  private final Runnable advance;
  private final SettledView view;
  private final ExecutorPlus thread;
  private final GroupCommit<PartitionUpdate> commits;
  private volatile WriteMode mode = WriteMode.BUFFERED;
  private volatile boolean truncating;
  private volatile boolean closed;

  /**
   * @param stores of the table
   * @param storesAll whether all copies belong in the store
   * @param advance records how far the commit log is in the stores
   */
  public DirectWrites(
      ColumnFamilyStore table,
      OverlappingStores stores,
      BooleanSupplier storesAll,
      Runnable advance) {
    this.table = table;
    this.stores = stores;
    this.storesAll = storesAll;
    this.advance = advance;
    this.view = new SettledView(() -> table.getTracker().getView(), table.readOrdering);
    String name = table.getKeyspaceName() + "." + table.getTableName();
    // begins with the first task
    this.thread = ExecutorFactory.Global.executorFactory().sequential("CounterpartPut:" + name);
    this.commits =
        new GroupCommit<>("the store of " + name, thread, DirectWrites::patience, this::commit);
  }

  /**
   * A write holds back every flush of the node, and one of the threads for which other tables'
   * writes wait: these must not time out.
   */
  private static Duration patience() {
    return Duration.ofNanos(DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS) / 2);
  }

  /** What the table's reads have found. */
  SettledView view() {
    return view;
  }

  /** Purges of deletions wait from now on for reads that found other memtables and sstables. */
  public void beginToSettle() {
    view.isSettled();
  }

  /** Returns when all reads have ended that began before. Flushes must not wait for that. */
  public void awaitReaders() {
    view.await();
  }

  /** The writes of the table's next memtable. */
  public DirectPuts next(WriteMode next, Memtable memtable) {
    mode = next;
    return new DirectPuts(
        this,
        next,
        () -> table.signalFlushRequired(memtable, ColumnFamilyStore.FlushReason.MEMTABLE_LIMIT));
  }

  /** Where a write to the newest memtable would go now. */
  public PutDecision decision() {
    return decision(mode);
  }

  PutDecision decision(WriteMode of) {
    return PutDecision.of(
        new PutFacts(
            of,
            !table.metadata().indexes.isEmpty(),
            table.viewManager.hasViews(),
            !storesAll.getAsBoolean(),
            !StorageService.instance.isInitialized(),
            truncating || closed));
  }

  void put(PartitionUpdate update) {
    try {
      commits.put(update);
    } catch (StoreException e) {
      throw StoreFailures.NODE.noted(table.metadata(), e);
    }
  }

  private void commit(Supplier<List<PartitionUpdate>> claimed) {
    List<PartitionUpdate> written = new ArrayList<>();
    // the iterator is made when no freeze and no truncation can come before the merge
    stores
        .own()
        .absorb(
            () -> {
              written.addAll(claimed.get());
              return PartitionUpdates.byPartition(written).iterator();
            },
            () -> purgeRule());
    // a writer that gave up does not do so itself
    written.forEach(update -> table.invalidateCachedPartition(update.partitionKey()));
  }

  /** Which deletions a merge beside all memtables may purge. */
  public PurgeRule purgeRule() {
    return purgeRule(null, () -> !isCovered());
  }

  /** Which deletions a memtable's merge into the store may purge. */
  public PurgeRule purgeRule(Memtable merged) {
    boolean isReplayed =
        stores.own().isVolatile()
            || stores.own().bounds().absorbed().compareTo(merged.getCommitLogLowerBound()) < 0;
    return purgeRule(merged, () -> isReplayed);
  }

  /**
   * @param merged whose data does not count; null for none
   * @param isReplayed whether a replay would begin with what a deletion hides
   */
  private PurgeRule purgeRule(@Nullable Memtable merged, BooleanSupplier isReplayed) {
    long now = FBUtilities.nowInSeconds();
    boolean never =
        table.getNeverPurgeTombstones()
            || table.getCompactionStrategyManager().onlyPurgeRepairedTombstones();
    DataElsewhere elsewhere = new DataElsewhere(table, stores, this, merged);
    return new PurgeRule(
        table.gcBefore(now),
        now,
        key -> never || isReplayed.getAsBoolean() || elsewhere.has(key),
        this::oldestLogged);
  }

  /**
   * Whether a replay would begin with the newest memtable. While an older one waits for its flush,
   * the log has writes from before whose memtables are gone.
   */
  public boolean isCovered() {
    CommitLogPosition begin = null;
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      CommitLogPosition from = memtable.getCommitLogLowerBound();
      // the newest one's is not known while it is made
      if (from != null && (begin == null || from.compareTo(begin) > 0)) {
        begin = from;
      }
    }
    return begin != null && stores.own().bounds().absorbed().compareTo(begin) >= 0;
  }

  /**
   * At most the lowest timestamp of writes that are in the store and that a replay would repeat,
   * microseconds. A deletion that is older hides none of them, so they do not need it.
   */
  public long oldestLogged() {
    long oldest = Long.MAX_VALUE;
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      if (memtable instanceof DirectMemtable own) {
        oldest = Math.min(oldest, own.directPuts().oldestTimestamp());
      }
    }
    return oldest;
  }

  private boolean hasDirectMemtable() {
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      if (memtable instanceof DirectMemtable own && own.directPuts().isDirect()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Empties the stores for a truncation. A replay after a kill must not bring back what has gone
   * with them, and must bring back what has not. So writes go to memory from here on, and a flush
   * moves the position in the commit log behind all that the stores have.
   *
   * @param emptying of the stores
   */
  public synchronized void truncate(Runnable emptying) {
    truncating = true;
    try {
      if (flushLogged()) {
        advance.run();
      }
      emptying.run();
    } finally {
      truncating = false;
    }
  }

  /**
   * Has the log's position move behind all that went to the stores by now: the memtables do not
   * have it. Waits for a flush.
   *
   * @return whether there was one
   */
  public boolean flushLogged() {
    boolean isDue = hasDirectMemtable();
    if (isDue) {
      Memtable current = table.getTracker().getView().getCurrentMemtable();
      FBUtilities.waitOnFuture(
          table.signalFlushRequired(current, ColumnFamilyStore.FlushReason.INTERNALLY_FORCED));
    }
    return isDue;
  }

  /** No writes come any more. */
  public void close() {
    closed = true;
    thread.shutdown();
  }
}

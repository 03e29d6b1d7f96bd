package io.counterpart.cassandra.engine;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.cassandra.engine.store.TableStore;
import io.counterpart.cassandra.report.EngineReports;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.core.engine.FlushFacts;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One table on an engine: its stores, and what its memtables share. Thread-safe. */
final class EngineTable {
  private static final Logger logger = LoggerFactory.getLogger(EngineTable.class);
  private static final Duration LONGEST_FLUSH = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(10);

  private final ColumnFamilyStore table;
  private final Generations stores;
  private final SSTableAbsorption absorption;
  private final FrozenStores frozenStores;
  private final INotificationConsumer truncations = this::onNotification;

  /** Memtables that were switched out and are not flushed; a flush that failed stays one. */
  private final AtomicInteger unflushed = new AtomicInteger();

  private int memtables;
  private long entered;
  private long truncated;
  private boolean watched;
  private @Nullable FlushDecision forced;
  private volatile boolean closed;
  private @Nullable EngineFlush lastSpill;

  /**
   * @param absorbAfter as {@link EngineParameters#absorbAfter}
   */
  EngineTable(ColumnFamilyStore table, Generations stores, @Nullable Duration absorbAfter) {
    this.table = table;
    this.stores = stores;
    this.frozenStores = new FrozenStores(table, stores);
    this.absorption = new SSTableAbsorption(this, absorbAfter);
    // a truncation that a kill cut off, or that came while the table was on another engine
    stores.catchUp(SystemKeyspace.getTruncatedAt(table.metadata.id));
  }

  ColumnFamilyStore table() {
    return table;
  }

  Generations stores() {
    return stores;
  }

  SSTableAbsorption absorption() {
    return absorption;
  }

  /** What is due in the background. Not to be called twice at once. */
  void tick() {
    frozenStores.dropDue();
    if (closed || !StorageService.instance.isInitialized()) {
      return;
    }
    FlushDecision next = nextRoutineFlush();
    if (next.spills() && !stores.isEmpty()) {
      if (isCurrent() && !next.equals(forced)) {
        forced = next;
        logger.info("{} is flushed now: {}", table.metadata, next.reason());
        table.forceFlush(ColumnFamilyStore.FlushReason.INTERNALLY_FORCED);
      }
    } else {
      forced = null;
      absorption.run();
    }
  }

  /** Drops stores whose data is in live sstables. */
  void drop(List<Generation> frozen, EngineFlush spill) {
    frozenStores.drop(frozen);
    synchronized (this) {
      if (lastSpill == spill) {
        // it would keep its memtable
        lastSpill = null;
      }
    }
  }

  /**
   * Rebuilds indexes after stored rows have come into sstables by a flush of which an index takes
   * only what was in memory: as when a node died in CREATE INDEX and took the index for built.
   */
  void rebuildIndexes() {
    Set<String> names =
        table.indexManager.listIndexes().stream()
            .map(index -> index.getIndexMetadata().name)
            .collect(Collectors.toSet());
    if (!names.isEmpty()) {
      logger.info("Building the indexes {} of {} again", names, table.metadata);
      CompletableFuture.runAsync(() -> table.indexManager.rebuildIndexesBlocking(names))
          .exceptionally(
              failure -> {
                logger.error(
                    "Cannot build the indexes {} of {}: run nodetool rebuild_index",
                    names,
                    table.metadata,
                    failure);
                return null;
              });
    }
  }

  /** Drops those that wait, since no memtable of the table is left. */
  void dropFrozen() {
    frozenStores.dropAll();
  }

  /** Whether writes go to a memtable of this table and engine. */
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

  FlushDecision nextRoutineFlush() {
    return FlushDecision.of(FlushCause.ROUTINE, facts());
  }

  /**
   * One more memtable.
   *
   * @param absorbAfter as {@link EngineParameters#absorbAfter}, from now on
   * @return its number, which is higher than those of all before it
   */
  synchronized long enter(@Nullable Duration absorbAfter) {
    memtables++;
    absorption.after(absorbAfter);
    if (table.getTracker() == null) {
      recordAbsorbed();
    } else {
      watch();
    }
    return ++entered;
  }

  /** The first memtable comes before there is something to subscribe to. */
  private synchronized void watch() {
    if (!watched && table.getTracker() != null) {
      watched = true;
      table.getTracker().subscribe(truncations);
    }
  }

  /**
   * One memtable less.
   *
   * @return whether it was the last: the table has left the engine
   */
  synchronized boolean leave() {
    return --memtables == 0;
  }

  private void onNotification(Object notification, Object sender) {
    if (notification instanceof TruncationNotification truncation) {
      logger.info("Emptying the stores of {}, which is truncated", table.metadata);
      countTruncation();
      stores.truncate(truncation.truncatedAt);
      // also those that have begun in between have read what is gone
      countTruncation();
    }
  }

  private synchronized void countTruncation() {
    truncated++;
  }

  /** Changes whenever the table is truncated, for those who must not outlast it. */
  synchronized long truncations() {
    return truncated;
  }

  /**
   * Has the commit log's replay, which comes next, leave out what the stores have absorbed. A
   * replay would do no harm but for deletions that were purged: their own mutations may be gone
   * from the log while older ones are still there. Sstables say in their metadata what they cover;
   * a store says it in the record that Cassandra keeps for TRUNCATE, whose time stays as it is.
   */
  void recordAbsorbed() {
    CommitLogPosition absorbed = stores.absorbed();
    CommitLogPosition recorded = SystemKeyspace.getTruncatedPosition(table.metadata.id);
    if (absorbed.compareTo(recorded == null ? CommitLogPosition.NONE : recorded) > 0) {
      long truncatedAt = SystemKeyspace.getTruncatedAt(table.metadata.id);
      SystemKeyspace.saveTruncationRecord(table, truncatedAt, absorbed);
    }
  }

  void switchedOut() {
    unflushed.incrementAndGet();
  }

  void flushed() {
    unflushed.decrementAndGet();
  }

  /** Whether neither stores nor memtables on their way to them have data. */
  boolean isEmpty() {
    // every TRUNCATE asks, if it does not switch the memtable
    watch();
    return closed || unflushed.get() == 0 && stores.isEmpty();
  }

  /**
   * Freezes the stores for a spill. Memtables that are older must be absorbed before, or the spill
   * would lack them; those whose flush has failed stay in memory.
   */
  List<Generation> freeze(EngineFlush spill, EngineMemtable memtable) {
    awaitOlder(memtable);
    EngineFlush before;
    synchronized (this) {
      before = lastSpill;
      lastSpill = spill;
    }
    if (before != null && before.isCommitted()) {
      before.markSpilled();
    } else if (before != null && before.isAborted()) {
      before.closeReading();
    }
    return stores.freeze();
  }

  /** Flushes begin in the order of memtables, so that the older ones have threads of their own. */
  private void awaitOlder(EngineMemtable memtable) {
    long start = System.nanoTime();
    while (hasOlder(memtable)) {
      if (System.nanoTime() - start > LONGEST_FLUSH.toNanos()) {
        throw new IllegalStateException(
            "a flush of %s before this one has not ended in %s, so its data would be missing"
                .formatted(table.metadata, LONGEST_FLUSH));
      }
      Uninterruptibles.sleepUninterruptibly(POLL);
    }
  }

  private boolean hasOlder(EngineMemtable than) {
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      if (memtable instanceof EngineMemtable other
          && other.isOf(this)
          && other.number() < than.number()
          && !other.isAborted()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Records that the commit log is in the stores or in sstables up to the first memtable that is
   * neither: a memtable whose flush has failed stays where it is. Nothing is recorded before the
   * end of replay, whose log is older.
   */
  void cover() {
    if (!StorageService.instance.isInitialized()) {
      return;
    }
    CommitLogPosition end = null;
    for (Memtable memtable : table.getTracker().getView().getAllMemtables()) {
      boolean covered = memtable instanceof EngineMemtable own && own.isOf(this) && own.isCovered();
      CommitLogPosition from = covered ? null : memtable.getCommitLogLowerBound();
      // the newest one's is not known while it is made
      if (from != null && (end == null || from.compareTo(end) < 0)) {
        end = from;
      }
    }
    try {
      if (end != null) {
        stores.advance(end);
      }
    } catch (StoreClosedException dropped) {
      logger.debug("{} is dropped", table.metadata, dropped);
    }
  }

  /** For operators; also where the store does not answer. */
  EngineReports.Table report(String engine) {
    try {
      return answered(engine);
    } catch (StoreException e) {
      return new EngineReports.Table(
          table.getKeyspaceName(),
          table.getTableName(),
          engine,
          "failing: " + e.getMessage(),
          new EngineReports.Stores(stores.directory().toString(), 0, 0, 0, 0, Double.NaN),
          new EngineReports.SSTables(table.getLiveSSTables().size(), 0, "the store fails"),
          unflushed.get());
    }
  }

  private EngineReports.Table answered(String engine) {
    FlushDecision next = nextRoutineFlush();
    return new EngineReports.Table(
        table.getKeyspaceName(),
        table.getTableName(),
        engine,
        (next.spills() ? "spilling: " : "absorbing: ") + next.reason(),
        sizes(),
        sstables(),
        unflushed.get());
  }

  private EngineReports.SSTables sstables() {
    Set<SSTableReader> live = table.getLiveSSTables();
    return new EngineReports.SSTables(
        live.size(),
        live.stream().mapToLong(SSTableReader::onDiskLength).sum(),
        absorption.decision().reason());
  }

  private EngineReports.Stores sizes() {
    Generations.Sizes sizes = stores.sizes();
    return new EngineReports.Stores(
        stores.directory().toString(),
        sizes.stores(),
        sizes.partitions(),
        sizes.usedBytes(),
        sizes.diskBytes(),
        sizes.hitRatio());
  }

  /** Facts for the decision about a flush that begins now. */
  FlushFacts facts() {
    return new FlushFacts(
        !table.metadata().indexes.isEmpty(),
        table.viewManager.hasViews(),
        table.isAutoSnapshotEnabled(),
        hasForeignPartitions(),
        stores.hasAdopted());
  }

  /** Whether the stores have partitions outside of the node's ranges, as after a ring change. */
  private boolean hasForeignPartitions() {
    if (!StorageService.instance.isInitialized() || stores.isEmpty()) {
      return false;
    }
    Set<Range<Token>> own =
        StorageService.instance.getLocalReplicas(table.getKeyspaceName()).ranges();
    if (own.isEmpty()) {
      return false;
    }
    Token least = table.getPartitioner().getMinimumToken();
    for (Range<Token> foreign : new Range<>(least, least).subtractAll(own)) {
      for (Range<Token> part : foreign.unwrap()) {
        if (stores.any((TableStore store) -> store.hasPartitions(Range.makeRowRange(part)))) {
          return true;
        }
      }
    }
    return false;
  }

  /** No reads come any more. */
  void close(boolean delete) {
    closed = true;
    if (table.getTracker() != null) {
      table.getTracker().unsubscribe(truncations);
    }
    if (delete) {
      logger.info("Deleting the stores {} of {}", stores.directory(), table.metadata);
      stores.delete();
    } else {
      stores.close();
    }
  }
}

package io.counterpart.cassandra.engine;

import com.google.common.collect.Iterables;
import com.google.common.collect.Iterators;
import io.counterpart.cassandra.engine.direct.DataElsewhere;
import io.counterpart.cassandra.engine.share.CopyShare;
import io.counterpart.cassandra.engine.store.Generation;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.cassandra.engine.store.StoreSizes;
import io.counterpart.cassandra.engine.store.StoredState;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flush of one memtable: parts, one for each data directory, that are all absorbed or all
 * spilled. Cassandra asks for all parts before it writes any; the parts run on its flush threads.
 */
final class EngineFlush {
  private static final Logger logger = LoggerFactory.getLogger(EngineFlush.class);

  private final EngineTable table;
  private final EngineMemtable memtable;
  private final FlushCause cause;
  private final FlushDecision decision;

  /** What is absorbed; other copies go to sstables. The same for all parts. */
  private final CopyShare share;

  private final AtomicInteger unabsorbed = new AtomicInteger();

  /** Stores that go to sstables with the memtable. */
  private volatile List<Generation> frozen = List.of();

  /** Open until its end is reached. */
  private final Queue<UnfilteredPartitionIterator> reading = new ConcurrentLinkedQueue<>();

  /** Done when the position that leaves with the stores is in Cassandra's own record. */
  private volatile CompletableFuture<Void> recorded = CompletableFuture.completedFuture(null);

  private volatile long truncations;
  private volatile boolean paused;

  EngineFlush(
      EngineTable table,
      EngineMemtable memtable,
      CopyShare share,
      FlushCause cause,
      FlushDecision decision) {
    this.table = table;
    this.memtable = memtable;
    this.share = share;
    this.cause = cause;
    this.decision = decision;
  }

  /** A spill freezes the stores, once all older memtables are in them. */
  void begin() {
    if (!decision.spills()) {
      return;
    }
    boolean frozenNow = false;
    table.absorption().pause();
    try {
      truncations = table.truncations();
      frozen = table.freeze(this, memtable);
      frozenNow = true;
    } catch (StoreClosedException dropped) {
      throw dropped;
    } catch (StoreException e) {
      throw writeError(e);
    } finally {
      if (!frozenNow) {
        table.absorption().resume();
      }
    }
    paused = true;
    if (cause == FlushCause.LEAVING) {
      // not here: it waits for a flush, which may need this thread
      recorded = CompletableFuture.runAsync(() -> table.log().record());
    }
    if (!frozen.isEmpty()) {
      logger.info(
          "Spilling the stores of {} to sstables: {}", memtable.metadata(), decision.reason());
    }
  }

  /** A store that fails is a disk that fails: disk_failure_policy decides what the node does. */
  private FSWriteError writeError(StoreException e) {
    return new FSWriteError(e, new File(table.stores().directory()));
  }

  Memtable.FlushablePartitionSet<?> part(Memtable.FlushablePartitionSet<?> delta) {
    return decision.spills() ? spilled(delta) : absorbed(delta);
  }

  private FlushSet absorbed(Memtable.FlushablePartitionSet<?> delta) {
    unabsorbed.incrementAndGet();
    return new FlushSet(
        memtable,
        delta,
        delta.columns(),
        delta.encodingStats(),
        new FlushSet.Sizes(0, 0),
        () -> share.isAll() ? absorbWhole(delta) : absorbShare(delta));
  }

  private Iterator<Partition> absorbWhole(Memtable.FlushablePartitionSet<?> delta) {
    absorb(delta);
    if (unabsorbed.decrementAndGet() == 0) {
      memtable.cover();
    }
    return Collections.emptyIterator();
  }

  /** The memtable is covered when the sstables with the rest are live: not before it is gone. */
  private Iterator<Partition> absorbShare(Memtable.FlushablePartitionSet<?> delta) {
    absorb(Iterables.filter(delta, partition -> share.has(partition.partitionKey())));
    Iterator<Partition> all = Iterators.unmodifiableIterator(delta.iterator());
    return Iterators.filter(all, partition -> !share.has(partition.partitionKey()));
  }

  private void absorb(Iterable<? extends Partition> delta) {
    try {
      table.stores().absorb(delta, this::purgeRule);
    } catch (StoreClosedException dropped) {
      throw dropped;
    } catch (StoreException e) {
      throw writeError(e);
    }
  }

  private FlushSet spilled(Memtable.FlushablePartitionSet<?> delta) {
    if (frozen.isEmpty()) {
      return new FlushSet(
          memtable,
          delta,
          delta.columns(),
          delta.encodingStats(),
          new FlushSet.Sizes(0, 0),
          () -> Iterators.unmodifiableIterator(delta.iterator()));
    }
    return new FlushSet(
        memtable, delta, allColumns(delta), stats(delta), sizes(), () -> withStored(delta));
  }

  private Iterator<Partition> withStored(Memtable.FlushablePartitionSet<?> delta) {
    List<UnfilteredPartitionIterator> stored =
        Generation.iterators(frozen, store -> store.between(delta.from(), delta.to()));
    if (stored.isEmpty()) {
      return Iterators.unmodifiableIterator(delta.iterator());
    }
    UnfilteredPartitionIterator merged =
        UnfilteredPartitionIterators.merge(stored, UnfilteredPartitionIterators.MergeListener.NOOP);
    reading.add(merged);
    return new SpilledPartitions(delta.iterator(), merged, this::checkNotTruncated);
  }

  /** The flush has failed: Cassandra leaves its iterators as they are. */
  void closeReading() {
    reading.forEach(UnfilteredPartitionIterator::close);
    reading.clear();
  }

  /** What a spill has read before a TRUNCATE must not come back in its sstables. */
  private void checkNotTruncated() {
    if (table.truncations() != truncations) {
      throw new IllegalStateException(memtable.metadata() + " was truncated during its flush");
    }
  }

  private EncodingStats stats(Memtable.FlushablePartitionSet<?> delta) {
    long minTimestamp = delta.encodingStats().minTimestamp;
    long minLocalDeletionTime = delta.encodingStats().minLocalDeletionTime;
    for (Generation generation : frozen) {
      StoredState state = generation.store().state();
      minTimestamp = Math.min(minTimestamp, state.minTimestamp());
      minLocalDeletionTime = Math.min(minLocalDeletionTime, state.minLocalDeletionTime());
    }
    return new EncodingStats(minTimestamp, minLocalDeletionTime, 0);
  }

  private FlushSet.Sizes sizes() {
    StoreSizes sizes = StoreSizes.of(frozen);
    return new FlushSet.Sizes(sizes.partitions(), sizes.usedBytes());
  }

  private RegularAndStaticColumns allColumns(Memtable.FlushablePartitionSet<?> delta) {
    RegularAndStaticColumns.Builder all =
        RegularAndStaticColumns.builder()
            .addAll(memtable.metadata().regularAndStaticColumns())
            .addAll(delta.columns());
    // cells that are newer than the drop are kept, as in sstables
    memtable.metadata().droppedColumns.values().forEach(dropped -> all.add(dropped.column));
    return all.build();
  }

  boolean isCommitted() {
    return memtable.isCommitted();
  }

  boolean isAborted() {
    return memtable.isAborted();
  }

  /** The sstables are live: later spills leave these stores out. */
  void markSpilled() {
    frozen.forEach(Generation::markSpilled);
  }

  /** The memtable is gone: its sstables are live, and no reader is left that began before. */
  void end() {
    if (paused) {
      // whoever wanted the sstables has them soon
      paused = false;
      table.absorption().resume();
    }
    recorded.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            logger.error(
                "Cannot record the commit log's position of {}, so its stores stay",
                memtable.metadata(),
                failure);
            return;
          }
          if (isCommitted()) {
            drop();
          }
          EngineTables.SHARED.leave(table);
        });
  }

  private void drop() {
    table.drop(frozen, this);
    // the build of an index reads the sstables itself
    if (!frozen.isEmpty() && cause != FlushCause.BUILD) {
      IndexRebuild.of(table.table());
    }
  }

  private PurgeRule purgeRule() {
    ColumnFamilyStore cfs = table.table();
    long now = FBUtilities.nowInSeconds();
    boolean never =
        cfs.getNeverPurgeTombstones()
            || cfs.getCompactionStrategyManager().onlyPurgeRepairedTombstones()
            // a replay would begin with what the deletion hides
            || table.stores().isVolatile()
            || table.stores().absorbed().compareTo(memtable.getCommitLogLowerBound()) < 0;
    DataElsewhere elsewhere = new DataElsewhere(cfs, table.stores(), table.direct(), memtable);
    return new PurgeRule(
        cfs.gcBefore(now), now, key -> never || elsewhere.has(key), table.direct()::oldestLogged);
  }
}

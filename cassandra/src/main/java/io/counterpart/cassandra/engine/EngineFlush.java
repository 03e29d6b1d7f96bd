package io.counterpart.cassandra.engine;

import com.google.common.collect.Iterators;
import io.counterpart.cassandra.engine.store.PurgeRule;
import io.counterpart.cassandra.engine.store.StoredState;
import io.counterpart.cassandra.engine.store.TableStore;
import io.counterpart.core.engine.FlushDecision;
import io.counterpart.engine.StoreException;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flush of one memtable: parts, one for each data directory, that are all absorbed or all
 * spilled. The parts run on Cassandra's flush threads.
 */
final class EngineFlush {
  private static final Logger LOG = LoggerFactory.getLogger(EngineFlush.class);

  private final EngineTable table;
  private final EngineMemtable memtable;
  private final FlushDecision decision;
  private final AtomicInteger unfinished = new AtomicInteger();

  EngineFlush(EngineTable table, EngineMemtable memtable, FlushDecision decision) {
    this.table = table;
    this.memtable = memtable;
    this.decision = decision;
    if (decision.spills() && !table.store().isEmpty()) {
      LOG.info("Spilling the store of {} to sstables: {}", memtable.metadata(), decision.reason());
    }
  }

  boolean spills() {
    return decision.spills();
  }

  /** One part. Cassandra asks for all parts before it writes any. */
  Memtable.FlushablePartitionSet<?> part(Memtable.FlushablePartitionSet<?> delta) {
    return decision.spills() ? spilled(delta) : absorbed(delta);
  }

  private FlushSet absorbed(Memtable.FlushablePartitionSet<?> delta) {
    unfinished.incrementAndGet();
    return new FlushSet(
        memtable,
        delta,
        delta.columns(),
        delta.encodingStats(),
        new FlushSet.Sizes(0, 0),
        () -> {
          absorb(delta);
          if (unfinished.decrementAndGet() == 0) {
            memtable.absorbed();
          }
          return Collections.emptyIterator();
        });
  }

  /** A store that fails is a disk that fails: disk_failure_policy decides what the node does. */
  private void absorb(Memtable.FlushablePartitionSet<?> delta) {
    try {
      table.store().absorb(delta, purgeRule());
    } catch (StoreException e) {
      throw new FSWriteError(e, new File(table.directory()));
    }
  }

  private FlushSet spilled(Memtable.FlushablePartitionSet<?> delta) {
    TableStore store = table.store();
    if (store.isEmpty()) {
      return new FlushSet(
          memtable,
          delta,
          delta.columns(),
          delta.encodingStats(),
          new FlushSet.Sizes(0, 0),
          () -> Iterators.unmodifiableIterator(delta.iterator()));
    }
    StoredState state = store.state();
    EncodingStats deltaStats = delta.encodingStats();
    EncodingStats stats =
        new EncodingStats(
            Math.min(state.minTimestamp(), deltaStats.minTimestamp),
            Math.min(state.minLocalDeletionTime(), deltaStats.minLocalDeletionTime),
            0);
    return new FlushSet(
        memtable,
        delta,
        allColumns(delta),
        stats,
        new FlushSet.Sizes(state.partitions(), store.stats().usedBytes()),
        () -> new SpilledPartitions(delta.iterator(), store.between(delta.from(), delta.to())));
  }

  private RegularAndStaticColumns allColumns(Memtable.FlushablePartitionSet<?> delta) {
    return RegularAndStaticColumns.builder()
        .addAll(memtable.metadata().regularAndStaticColumns())
        .addAll(delta.columns())
        .build();
  }

  private PurgeRule purgeRule() {
    long now = FBUtilities.nowInSeconds();
    boolean never =
        table.table().getNeverPurgeTombstones()
            || table.table().getCompactionStrategyManager().onlyPurgeRepairedTombstones()
            || !table.table().getLiveSSTables().isEmpty();
    return new PurgeRule(table.table().gcBefore(now), now, key -> never || isInOtherMemtable(key));
  }

  private boolean isInOtherMemtable(DecoratedKey key) {
    for (Memtable other : table.table().getTracker().getView().getAllMemtables()) {
      boolean holds =
          other instanceof EngineMemtable engine
              ? engine != memtable && engine.isInMemory(key)
              : other.rowIterator(key) != null;
      if (holds) {
        return true;
      }
    }
    return false;
  }
}

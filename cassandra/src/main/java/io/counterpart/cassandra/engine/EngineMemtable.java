package io.counterpart.cassandra.engine;

import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.FlushDecision;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.AbstractAllocatorMemtable;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.LazilyInitializedUnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.apache.cassandra.utils.concurrent.Transactional.AbstractTransactional.State;
import org.jspecify.annotations.Nullable;

/**
 * A memtable before a store: writes go to a stock trie memtable, the delta; reads merge delta and
 * store; a flush merges the delta into the store and writes no sstable, or spills both to one.
 * Paper: MyCassandra §3, but writes reach the engine at a flush, not one by one.
 *
 * <p>Every memtable of a table reads the store, as a reader that has found this memtable may go on
 * while it is flushed. All merges are idempotent, so reading data twice does no harm.
 */
public final class EngineMemtable extends AbstractAllocatorMemtable {
  private static final long UNKNOWN_TIMESTAMP_NEIGHBOUR = NO_MIN_TIMESTAMP - 1;

  private final EngineTable table;
  private final Memtable delta;
  private final FlushTurn turn;
  private volatile FlushCause cause = FlushCause.ROUTINE;
  private volatile @Nullable EngineFlush flush;

  EngineMemtable(
      AtomicReference<CommitLogPosition> lowerBound,
      ColumnFamilyStore owner,
      EngineTable table,
      Memtable.Factory stock) {
    super(lowerBound, owner.metadata, owner);
    this.table = table;
    this.delta = stock.create(lowerBound, owner.metadata, new DeltaOwner(owner, this));
    this.turn = table.enter(this::isGivenUp);
  }

  /**
   * What cassandra.yaml's {@code memtable} section calls.
   *
   * @throws org.apache.cassandra.exceptions.ConfigurationException if the engine is not there
   */
  public static Memtable.Factory factory(Map<String, String> options) {
    return EngineTables.SHARED.factory(EngineParameters.take(options));
  }

  @Override
  public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group group) {
    return delta.put(update, indexer, group);
  }

  @Override
  public @Nullable UnfilteredRowIterator rowIterator(
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed,
      SSTableReadsListener listener) {
    // memory first: what is absorbed in between is then read twice, not missed
    UnfilteredRowIterator inMemory = delta.rowIterator(key, slices, columns, reversed, listener);
    UnfilteredRowIterator inStore = table.store().rows(key, slices, columns, reversed);
    if (inMemory == null || inStore == null) {
      return inMemory == null ? inStore : inMemory;
    }
    return UnfilteredRowIterators.merge(List.of(inStore, inMemory));
  }

  /** For compactions, which look for null and close nothing: holds no snapshot until it is used. */
  @Override
  public @Nullable UnfilteredRowIterator rowIterator(DecoratedKey key) {
    if (!isInMemory(key) && !table.store().contains(key)) {
      return null;
    }
    return new LazilyInitializedUnfilteredRowIterator(key) {
      @Override
      protected UnfilteredRowIterator initializeIterator() {
        ColumnFilter all = ColumnFilter.all(EngineMemtable.this.metadata());
        UnfilteredRowIterator rows =
            rowIterator(key, Slices.ALL, all, false, SSTableReadsListener.NOOP_LISTENER);
        return rows != null
            ? rows
            : EmptyIterators.unfilteredRow(EngineMemtable.this.metadata(), key, false);
      }
    };
  }

  boolean isInMemory(DecoratedKey key) {
    return delta.rowIterator(key) != null;
  }

  @Override
  public UnfilteredPartitionIterator partitionIterator(
      ColumnFilter columns, DataRange range, SSTableReadsListener listener) {
    UnfilteredPartitionIterator inMemory = delta.partitionIterator(columns, range, listener);
    if (table.store().isEmpty()) {
      return inMemory;
    }
    return UnfilteredPartitionIterators.merge(
        List.of(table.store().partitions(columns, range), inMemory),
        UnfilteredPartitionIterators.MergeListener.NOOP);
  }

  @Override
  public boolean shouldSwitch(ColumnFamilyStore.FlushReason reason) {
    return switch (reason) {
      case SCHEMA_CHANGE -> {
        if (!initialFactory.equals(metadata().params.memtable.factory())) {
          cause = FlushCause.LEAVING;
          yield true;
        }
        boolean unsupported = !metadata().indexes.isEmpty() && !table.store().isEmpty();
        yield unsupported || initialComparator != metadata().comparator;
      }
      case OWNED_RANGES_CHANGE -> delta.shouldSwitch(reason);
      default -> {
        FlushCause asked = FlushCauses.of(reason);
        if (cause == FlushCause.ROUTINE && asked != FlushCause.ROUTINE) {
          cause = asked;
        }
        yield true;
      }
    };
  }

  @Override
  public FlushablePartitionSet<?> getFlushSet(
      @Nullable PartitionPosition from, @Nullable PartitionPosition to) {
    EngineFlush begun = flush;
    if (begun == null) {
      turn.await();
      begun = new EngineFlush(table, this, FlushDecision.of(cause, table.facts()));
      flush = begun;
    }
    return begun.part(delta.getFlushSet(from, to));
  }

  /** All of the delta is in the store. */
  void absorbed() {
    table.cover(getCommitLogLowerBound(), getFinalCommitLogUpperBound());
    turn.settle();
  }

  private boolean isGivenUp() {
    LifecycleTransaction transaction = getFlushTransaction();
    return isClean() || (transaction != null && transaction.state() == State.ABORTED);
  }

  @Override
  public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
    super.switchOut(barrier, upperBound);
    delta.switchOut(barrier, upperBound);
  }

  /** Called when the flush is done and no reader is left that began before it. */
  @Override
  public void discard() {
    super.discard();
    delta.discard();
    EngineFlush done = flush;
    try {
      if (done != null && done.spills()) {
        table.spilled(getCommitLogLowerBound(), getFinalCommitLogUpperBound());
      }
    } finally {
      turn.settle();
    }
    if (cause == FlushCause.LEAVING) {
      EngineTables.SHARED.removeUnlessReopened(table, turn);
    }
  }

  @Override
  public boolean isClean() {
    return delta.isClean() && table.store().isEmpty();
  }

  @Override
  public long getMinTimestamp() {
    long least = Math.min(deltaMinTimestamp(), table.store().state().minTimestamp());
    return least == NO_MIN_TIMESTAMP ? UNKNOWN_TIMESTAMP_NEIGHBOUR : least;
  }

  private long deltaMinTimestamp() {
    long timestamp = delta.getMinTimestamp();
    return timestamp == NO_MIN_TIMESTAMP ? Long.MAX_VALUE : timestamp;
  }

  @Override
  public long getMinLocalDeletionTime() {
    return Math.min(delta.getMinLocalDeletionTime(), table.store().state().minLocalDeletionTime());
  }

  @Override
  public long partitionCount() {
    return delta.partitionCount() + table.store().state().partitions();
  }

  @Override
  public long getLiveDataSize() {
    return delta.getLiveDataSize();
  }

  @Override
  public long operationCount() {
    return delta.operationCount();
  }

  @Override
  public void addMemoryUsageTo(MemoryUsage usage) {
    delta.addMemoryUsageTo(usage);
  }

  @Override
  public void markExtraOnHeapUsed(long bytes, OpOrder.Group group) {
    delta.markExtraOnHeapUsed(bytes, group);
  }

  @Override
  public void markExtraOffHeapUsed(long bytes, OpOrder.Group group) {
    delta.markExtraOffHeapUsed(bytes, group);
  }

  @Override
  public void metadataUpdated() {
    super.metadataUpdated();
    delta.metadataUpdated();
  }

  @Override
  public void localRangesUpdated() {
    delta.localRangesUpdated();
  }
}

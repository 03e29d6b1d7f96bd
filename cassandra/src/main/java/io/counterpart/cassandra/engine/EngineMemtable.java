package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.direct.DirectMemtable;
import io.counterpart.cassandra.engine.direct.DirectPuts;
import io.counterpart.cassandra.engine.flush.WrittenDeletions;
import io.counterpart.cassandra.engine.store.LazyRows;
import io.counterpart.cassandra.writer.StoreBacked;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.AbstractAllocatorMemtable;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;

/**
 * A memtable before a store: writes go to a stock trie memtable, the delta; reads merge delta and
 * store; a flush merges the delta into the store and writes no sstable, or spills both to one. In
 * the mode {@code direct} writes go to the store. Paper: MyCassandra §3.
 *
 * <p>Every memtable of a table reads the store, as a reader that has found this memtable may go on
 * while it is flushed. All merges are idempotent, so reading data twice does no harm.
 */
public final class EngineMemtable extends AbstractAllocatorMemtable
    implements DirectMemtable, StoreBacked {
  private static final long UNKNOWN_TIMESTAMP_NEIGHBOUR = NO_MIN_TIMESTAMP - 1;
  private final ColumnFamilyStore owner;
  private final EngineTable table;
  private final long number;
  private final EngineFactory factory;
  private final Memtable delta;
  private final DirectPuts direct;
  final WrittenDeletions deletions = new WrittenDeletions();
  private volatile boolean covered;
  private final MemtableFlush flush;

  EngineMemtable(
      AtomicReference<CommitLogPosition> lowerBound,
      ColumnFamilyStore owner,
      EngineTables.Place place,
      EngineFactory factory) {
    super(lowerBound, owner.metadata, owner);
    this.owner = owner;
    this.table = place.table();
    this.number = place.number();
    this.factory = factory;
    this.flush = new MemtableFlush(table, this);
    this.direct = table.direct().next(factory.parameters().mode(), this);
    this.delta = factory.delta(lowerBound, owner.metadata, new DeltaOwner(owner, this));
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
    deletions.note(update);
    return direct.takes(indexer) ? direct.put(update) : delta.put(update, indexer, group);
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
    List<UnfilteredRowIterator> found =
        table.stores().iterators(store -> store.rows(key, slices, columns, reversed));
    if (inMemory != null) {
      found.add(inMemory);
    }
    return switch (found.size()) {
      case 0 -> null;
      case 1 -> found.get(0);
      default -> UnfilteredRowIterators.merge(found);
    };
  }

  /** For compactions, which look for null and close nothing: holds no snapshot until it is used. */
  @Override
  public @Nullable UnfilteredRowIterator rowIterator(DecoratedKey key) {
    ColumnFilter all = ColumnFilter.all(metadata());
    if (!isInMemory(key) && !table.overlapping().mayHave(key)) {
      return null;
    }
    return new LazyRows(
        metadata(),
        key,
        () -> rowIterator(key, Slices.ALL, all, false, SSTableReadsListener.NOOP_LISTENER));
  }

  @Override
  public DirectPuts directPuts() {
    return direct;
  }

  @Override
  public boolean isInMemory(DecoratedKey key) {
    return delta.rowIterator(key) != null;
  }

  @Override
  public Memtable inMemory() {
    return delta;
  }

  @Override
  public UnfilteredPartitionIterator partitionIterator(
      ColumnFilter columns, DataRange range, SSTableReadsListener listener) {
    UnfilteredPartitionIterator inMemory = delta.partitionIterator(columns, range, listener);
    List<UnfilteredPartitionIterator> found =
        table.stores().iterators(store -> store.partitions(columns, range));
    if (found.isEmpty()) {
      return inMemory;
    }
    found.add(inMemory);
    return UnfilteredPartitionIterators.merge(
        found, UnfilteredPartitionIterators.MergeListener.NOOP);
  }

  @Override
  public boolean shouldSwitch(ColumnFamilyStore.FlushReason reason) {
    return switch (reason) {
      case SCHEMA_CHANGE -> {
        boolean isCurrent = metadata().params.memtable.factory() == factory && !factory.isLsm();
        boolean unsupported = !metadata().indexes.isEmpty() && !table.isEmpty();
        boolean isDue = unsupported || !isCurrent || initialComparator != metadata().comparator;
        yield isDue && (unsupported || isCurrent || !flush.leavesLater());
      }
      case OWNED_RANGES_CHANGE -> delta.shouldSwitch(reason);
      default -> {
        flush.ask(reason);
        yield true;
      }
    };
  }

  @Override
  public FlushablePartitionSet<?> getFlushSet(
      @Nullable PartitionPosition from, @Nullable PartitionPosition to) {
    return flush.begun(leaves()).part(delta.getFlushSet(from, to));
  }

  /**
   * Whether the table has another configuration by now. Asked when that changes, and when a flush
   * begins, whatever began it: the memtable that has come next is then another's.
   */
  boolean leaves() {
    boolean isSwitchedOut = owner.getTracker().getView().getCurrentMemtable() != this;
    return factory.isLsm()
        || isSwitchedOut && !table.isCurrent()
        || !(metadata().params.memtable.factory() instanceof EngineFactory next)
        || !next.identity().equals(factory.identity());
  }

  /** All of the memtable is in stores or sstables. */
  void cover() {
    covered = true;
    // where all is in the store already, a store that fails now is no flush that failed
    table.log().covered(direct.isDirect() && delta.isClean());
  }

  boolean isCovered() {
    return covered;
  }

  boolean isOf(EngineTable other) {
    return table == other;
  }

  long number() {
    return number;
  }

  MemtableFlush flush() {
    return flush;
  }

  /** Whether its flush has failed and is repeated, or will be. */
  boolean awaitsRepetition() {
    return flush.isAborted() || flush.isRepeated();
  }

  @Override
  public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
    table.switchedOut();
    super.switchOut(barrier, upperBound);
    delta.switchOut(barrier, upperBound);
  }

  /** Called when the flush is done and no reader is left that began before it. */
  @Override
  public void discard() {
    super.discard();
    delta.discard();
    EngineFlush done = flush.begun();
    try {
      if (done == null || flush.isCommitted()) {
        cover();
      }
    } finally {
      table.flushed();
      if (done == null) {
        EngineTables.SHARED.leave(table);
      } else {
        done.end();
      }
    }
  }

  @Override
  public boolean isClean() {
    return delta.isClean() && table.isEmpty() && table.absorption().leavesSSTables(delta);
  }

  @Override
  public long getMinTimestamp() {
    long inMemory = delta.getMinTimestamp();
    long stored = table.overlapping().bounds().minTimestamp();
    long least = inMemory == NO_MIN_TIMESTAMP ? stored : Math.min(inMemory, stored);
    return least == NO_MIN_TIMESTAMP ? UNKNOWN_TIMESTAMP_NEIGHBOUR : least;
  }

  @Override
  public long getMinLocalDeletionTime() {
    return Math.min(
        delta.getMinLocalDeletionTime(), table.overlapping().bounds().minLocalDeletionTime());
  }

  @Override
  public long partitionCount() {
    return delta.partitionCount() + table.stores().bounds().partitions();
  }

  @Override
  public long partitionsInMemory() {
    return delta.partitionCount();
  }

  @Override
  public long getLiveDataSize() {
    return delta.getLiveDataSize();
  }

  @Override
  public long operationCount() {
    // a table without operations and sstables counts as empty: an index would skip it
    return Math.max(delta.operationCount(), table.isEmpty() ? 0 : 1);
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

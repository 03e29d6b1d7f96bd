package io.counterpart.cassandra.engine.store;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreStats;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;

/**
 * One table's partitions in a key-value store. Thread-safe; batches and clearings exclude each
 * other.
 */
public final class TableStore implements AutoCloseable {
  private final KvStore store;
  private final TableMetadataRef metadata;
  private final long mostBatchBytes;
  private final UUID host;
  private volatile StoredState state;

  /** Fair, since single writes come beside flushes of many batches. */
  private final Lock writing = new ReentrantLock(true);

  /** False after a write of which nobody knows whether it happened. Guarded by the lock. */
  private boolean isStateKnown = true;

  /**
   * @param host id of this node
   */
  public TableStore(KvStore store, TableMetadataRef metadata, UUID host) {
    this(store, metadata, host, MergeBatch.MOST_BYTES);
  }

  TableStore(KvStore store, TableMetadataRef metadata, UUID host, long mostBatchBytes) {
    this.store = store;
    this.metadata = metadata;
    this.mostBatchBytes = mostBatchBytes;
    this.host = host;
    this.state = stored();
  }

  public StoredState state() {
    return state;
  }

  public boolean isEmpty() {
    return state.isEmpty();
  }

  public StoreStats stats() {
    return store.stats();
  }

  boolean hasRoomFor(long bytes) {
    return store.hasRoomFor(bytes);
  }

  /**
   * Slices of a partition; null if the store has nothing of it. The iterator keeps a snapshot open
   * until it is closed or exhausted.
   */
  public @Nullable UnfilteredRowIterator rows(
      DecoratedKey key, Slices slices, ColumnFilter columns, boolean reversed) {
    if (isEmpty()) {
      return null;
    }
    PartitionReader reader = reader();
    KvSnapshot snapshot = store.snapshot();
    try {
      ImmutableBTreePartition header = reader.header(snapshot, key);
      if (header != null) {
        StoredRows.Query query = new StoredRows.Query(slices, columns, reversed);
        return reader.rows(header, snapshot, query, snapshot::close);
      }
      snapshot.close();
      return null;
    } catch (RuntimeException | Error e) {
      snapshot.close();
      throw e;
    }
  }

  /** Whether the store has anything of a partition. */
  public boolean contains(DecoratedKey key) {
    if (isEmpty()) {
      return false;
    }
    try (KvSnapshot snapshot = store.snapshot()) {
      return snapshot.get(EntryKeys.header(key)) != null;
    }
  }

  /** Whether the store has partitions in a range. */
  public boolean hasPartitions(AbstractBounds<PartitionPosition> bounds) {
    if (isEmpty()) {
      return false;
    }
    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(EntryKeys.partitions(bounds))) {
      return cursor.next();
    }
  }

  /**
   * Partitions of a range, as a read selects them; null if the store is empty. Keeps a snapshot
   * open until it is closed.
   */
  public @Nullable UnfilteredPartitionIterator partitions(ColumnFilter columns, DataRange range) {
    if (isEmpty()) {
      return null;
    }
    TableMetadata table = metadata.get();
    return partitions(
        store.snapshot(),
        EntryKeys.partitions(range.keyRange()),
        key -> {
          ClusteringIndexFilter filter = range.clusteringIndexFilter(key);
          return new StoredRows.Query(filter.getSlices(table), columns, filter.isReversed());
        });
  }

  /**
   * Whole partitions between two positions, for a flush that writes them elsewhere.
   *
   * @param from inclusive; null for the first
   * @param to exclusive; null for the last
   */
  public UnfilteredPartitionIterator between(
      @Nullable PartitionPosition from, @Nullable PartitionPosition to) {
    StoredRows.Query all = StoredRows.Query.all(metadata.get());
    return partitions(store.writersSnapshot(), EntryKeys.between(from, to), key -> all);
  }

  private UnfilteredPartitionIterator partitions(
      KvSnapshot snapshot, KvRange range, Function<DecoratedKey, StoredRows.Query> queries) {
    return new StoredPartitions(snapshot, reader(), range, queries);
  }

  /**
   * Merges partitions of a memtable into the store, durably. A second call with the same partitions
   * changes nothing, so a flush that was cut off may be repeated. Other writers get their turn
   * after each batch.
   */
  public void absorb(Iterable<? extends Partition> delta, PurgeRule rule) {
    PeekingIterator<Partition> rest = Iterators.peekingIterator(delta.iterator());
    while (rest.hasNext()) {
      writing.lock();
      try {
        absorbBatch(rest, rule);
      } finally {
        writing.unlock();
      }
    }
  }

  private void absorbBatch(PeekingIterator<Partition> rest, PurgeRule rule) {
    PartitionReader reader = reader();
    MergeBatch batch = new MergeBatch(this::commit, known(), mostBatchBytes);
    try (MergeSnapshot snapshot = new MergeSnapshot(store)) {
      DecoratedKey key;
      do {
        ImmutableBTreePartition partition = whole(rest.next());
        key = partition.partitionKey();
        // a partition's own may be a default that is not a bound
        EncodingStats stats =
            EncodingStats.Collector.collect(
                partition.staticRow(), partition.iterator(), partition.deletionInfo());
        batch.include(stats.minTimestamp, stats.minLocalDeletionTime);
        new PartitionMerge(reader, snapshot, batch, rule.purging(key, stats.minTimestamp))
            .merge(partition);
        // a part of a partition is merged with the parts before it
      } while (rest.hasNext() && !batch.isFull() && !rest.peek().partitionKey().equals(key));
    }
    batch.commit();
  }

  private static ImmutableBTreePartition whole(Partition partition) {
    try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
      return ImmutableBTreePartition.create(rows);
    }
  }

  /** Records that everything before a position of the commit log is absorbed or in sstables. */
  public void advance(CommitLogPosition position) {
    change(
        now -> {
          StoredState next = now.absorbedUpTo(position);
          if (!next.equals(now)) {
            commit(new KvBatch(), next);
          }
        });
  }

  /** Removes every partition, and records when the table was truncated; the position stays. */
  public StoredState truncated(long truncatedAt) {
    change(now -> commit(KvBatch.clearing(), now.truncated(truncatedAt)));
    return state;
  }

  /** Takes over what an older store of the table knows about the commit log and truncations. */
  void succeed(StoredState older) {
    change(now -> commit(new KvBatch(), older.withoutPartitions()));
  }

  private void change(Consumer<StoredState> change) {
    writing.lock();
    try {
      change.accept(known());
    } finally {
      writing.unlock();
    }
  }

  private void commit(KvBatch batch, StoredState next) {
    // readers look at the state first: it may say more than the store has, never less
    StoredState before = state;
    state = before.or(next);
    isStateKnown = false;
    // every batch has the state, so a server's locks put all writes of a store in an order
    store.write(batch.put(EntryKeys.STATE, next.encode()));
    // a write that fails may have happened: then the next one asks the store
    state = next;
    isStateKnown = true;
  }

  /** True; fails if the store does not answer. */
  boolean answers() {
    store.check();
    return true;
  }

  /** The state to go on from. */
  private StoredState known() {
    if (!isStateKnown) {
      // a write that came after the question would count partitions that this process does not
      store.settle();
      state = stored();
      isStateKnown = true;
    }
    return state;
  }

  private StoredState stored() {
    try (KvSnapshot snapshot = store.writersSnapshot()) {
      byte[] bytes = snapshot.get(EntryKeys.STATE);
      return bytes == null ? StoredState.empty(host) : StoredState.decode(bytes).on(host);
    }
  }

  private PartitionReader reader() {
    return new PartitionReader(metadata.get());
  }

  /** Whether nobody reads the store, which is closed, any more. */
  boolean isReleased() {
    return store.isReleased();
  }

  @Override
  public void close() {
    store.close();
  }
}

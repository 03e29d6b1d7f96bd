package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreStats;
import java.util.UUID;
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
  private final StoreWriter writer;

  /**
   * @param host id of this node
   */
  public TableStore(KvStore store, TableMetadataRef metadata, UUID host) {
    this(store, metadata, host, MergeBatch.MOST_BYTES);
  }

  TableStore(KvStore store, TableMetadataRef metadata, UUID host, long mostBatchBytes) {
    this.store = store;
    this.metadata = metadata;
    this.writer = new StoreWriter(store, metadata, host, mostBatchBytes);
  }

  public StoredState state() {
    return writer.state();
  }

  public boolean isEmpty() {
    return state().isEmpty();
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
    KvSnapshot snapshot = store.snapshot();
    try {
      // afterwards, so that it knows all columns that the snapshot may have
      PartitionReader reader = reader();
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
    writer.absorb(delta, rule);
  }

  /**
   * What a {@link #sweep} would do if nothing were elsewhere. Holds up no writer.
   *
   * @return with a change if it would do something
   */
  SweepStep trySweep(SweepStep.Position from, SweepStep.Limit limit, PurgeRule rule) {
    if (isEmpty()) {
      return SweepStep.END;
    }
    MergeBatch nothing = new MergeBatch((batch, next) -> {}, state(), MergeBatch.MOST_BYTES);
    try (KvSnapshot snapshot = store.snapshot()) {
      return new EntrySweep(reader(), snapshot, nothing, rule.byTime()).run(from, limit);
    }
  }

  /**
   * A step of a walk through all partitions, which purges what nobody needs any more, durably. A
   * second one from the same position changes nothing. Other writers wait for the entry that is
   * looked at and for the batch; it waits for none of them.
   */
  SweepStep sweep(SweepStep.Position from, SweepStep.Limit limit, PurgeRule rule) {
    return writer.sweep(from, limit, rule);
  }

  /** Records that everything before a position of the commit log is absorbed or in sstables. */
  public void advance(CommitLogPosition position) {
    writer.advance(position);
  }

  /** Removes every partition, and records when the table was truncated; the position stays. */
  public StoredState truncated(long truncatedAt) {
    writer.truncated(truncatedAt);
    return state();
  }

  /** Takes over what an older store of the table knows about the commit log and truncations. */
  void succeed(StoredState older) {
    writer.succeed(older);
  }

  /** True; fails if the store does not answer. */
  public boolean answers() {
    store.check();
    return true;
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

package io.counterpart.cassandra.engine.store;

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadataRef;

/** Writes one table's store, and knows its state. Thread-safe: one write comes after another. */
final class StoreWriter {
  /** More than a batch takes, and less than a store that is full or away. */
  private static final long LONGEST_SWEEP_WAIT_MILLIS = 1000;

  private final KvStore store;
  private final TableMetadataRef metadata;
  private final UUID host;
  private final long mostBatchBytes;
  private volatile StoredState state;

  /** Fair, since single writes come beside flushes of many batches. */
  private final ReentrantLock writing = new ReentrantLock(true);

  /** False after a write of which nobody knows whether it happened. Guarded by the lock. */
  private boolean isStateKnown = true;

  /**
   * @param host id of this node
   */
  StoreWriter(KvStore store, TableMetadataRef metadata, UUID host, long mostBatchBytes) {
    this.store = store;
    this.metadata = metadata;
    this.host = host;
    this.mostBatchBytes = mostBatchBytes;
    this.state = stored();
  }

  /** May say more than the store has, never less. */
  StoredState state() {
    return state;
  }

  /** {@link TableStore#absorb}. */
  void absorb(Iterable<? extends Partition> delta, PurgeRule rule) {
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
    MergeBatch batch = batch();
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
        new PartitionMerge(
                reader, snapshot, batch, rule.purging(reader.table(), key, stats.minTimestamp))
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

  /** {@link TableStore#sweep}. */
  SweepStep sweep(SweepStep.Position from, SweepStep.Limit limit, PurgeRule rule) {
    if (!isMine()) {
      return new SweepStep(from, 0);
    }
    try {
      MergeBatch batch = batch();
      batch.shrinks();
      SweepStep step;
      try (KvSnapshot snapshot = store.writersSnapshot()) {
        step =
            new EntrySweep(reader(), snapshot, batch, rule)
                .run(from, limit.unless(writing::hasQueuedThreads));
      }
      batch.commit();
      return step;
    } finally {
      writing.unlock();
    }
  }

  /** Takes the lock in its turn, unless that takes long. */
  private boolean isMine() {
    try {
      return writing.tryLock(LONGEST_SWEEP_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** {@link TableStore#advance}. */
  void advance(CommitLogPosition position) {
    change(
        now -> {
          StoredState next = now.absorbedUpTo(position);
          if (!next.equals(now)) {
            commit(new KvBatch().shrinking(), next);
          }
        });
  }

  /** {@link TableStore#truncated}. */
  void truncated(long truncatedAt) {
    change(now -> commit(KvBatch.clearing(), now.truncated(truncatedAt)));
  }

  /** {@link TableStore#succeed}. */
  void succeed(StoredState older) {
    // a spill relieves a store that is full
    change(now -> commit(new KvBatch().shrinking(), older.withoutPartitions()));
  }

  private void change(Consumer<StoredState> change) {
    writing.lock();
    try {
      change.accept(known());
    } finally {
      writing.unlock();
    }
  }

  private MergeBatch batch() {
    return new MergeBatch(this::commit, known(), mostBatchBytes);
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
}

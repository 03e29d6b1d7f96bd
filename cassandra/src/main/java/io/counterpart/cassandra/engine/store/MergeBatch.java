package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvBatch;

/**
 * What merges have changed and a store has not yet: entries and the state that goes with them. Not
 * thread-safe.
 */
final class MergeBatch {
  /** Bounds the memory; a flush is many batches, and only its end moves the position. */
  static final long MOST_BYTES = 4L << 20;

  /** Of an operation beside its key and value. */
  private static final long OPERATION_BYTES = 64;

  private final Target target;
  private final long mostBytes;
  private KvBatch batch = new KvBatch();
  private boolean shrinks;
  private StoredState state;

  /** Makes a batch durable, with the state. */
  interface Target {
    void commit(KvBatch batch, StoredState state);
  }

  MergeBatch(Target target, StoredState state, long mostBytes) {
    this.target = target;
    this.state = state;
    this.mostBytes = mostBytes;
  }

  void put(byte[] key, byte[] value) {
    batch.put(key, value);
  }

  void delete(byte[] key) {
    batch.delete(key);
  }

  /** What the batch does takes no memory of the store, as {@link KvBatch#shrinking}. */
  void shrinks() {
    shrinks = true;
  }

  /** The store will have a partition more, or less. */
  void gain(int partitions) {
    state = state.withPartitions(state.partitions() + partitions);
  }

  /** The store may have data as old as this. */
  void include(long timestamp, long localDeletionTime) {
    state = state.including(timestamp, localDeletionTime);
  }

  /** Entries that the batch puts or deletes. */
  int changes() {
    return batch.operations().size();
  }

  boolean isFull() {
    return batch.bytes() + OPERATION_BYTES * batch.operations().size() > mostBytes;
  }

  /** Makes all so far durable. */
  void commit() {
    if (!batch.isEmpty()) {
      target.commit(shrinks ? batch.shrinking() : batch, state);
      batch = new KvBatch();
    }
  }
}

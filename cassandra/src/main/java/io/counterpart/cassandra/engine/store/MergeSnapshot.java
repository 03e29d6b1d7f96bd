package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;

/**
 * The state of a store that merges read from. It is given up before each write, since an engine may
 * have to wait for its snapshots, and taken anew afterwards. Not thread-safe.
 */
final class MergeSnapshot implements AutoCloseable {
  private final KvStore store;
  private KvSnapshot now;

  MergeSnapshot(KvStore store) {
    this.store = store;
    this.now = store.writersSnapshot();
  }

  KvSnapshot now() {
    return now;
  }

  /** Writes a batch; no cursor is open. */
  void commit(MergeBatch batch) {
    now.close();
    batch.commit();
    now = store.writersSnapshot();
  }

  /** A second call does nothing. */
  @Override
  public void close() {
    now.close();
  }
}

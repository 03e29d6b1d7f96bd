package io.counterpart.engine.lmdb;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Dbi;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Txn;

/** A read transaction. Not thread-safe, but threads may hand it on. */
final class LmdbSnapshot implements KvSnapshot {
  private final LmdbStore store;
  private final Dbi<byte[]> database;
  private final Txn<byte[]> transaction;
  private boolean closed;

  /**
   * @param store takes the transaction back when this closes
   */
  LmdbSnapshot(LmdbStore store, Dbi<byte[]> database, Txn<byte[]> transaction) {
    this.store = store;
    this.database = database;
    this.transaction = transaction;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] lmdbKey = LmdbStore.BUCKETS.engineKey(key);
    byte[] value;
    try {
      value = database.get(transaction, lmdbKey);
    } catch (LmdbException e) {
      throw store.failed("read", e);
    }
    if (value == null || !LmdbStore.BUCKETS.isLong(key)) {
      return value;
    }
    return LmdbStore.BUCKETS.read(lmdbKey, value).get(key);
  }

  @Override
  public KvCursor scan(KvRange range) {
    try {
      return new LmdbCursor(store, database.openCursor(transaction), range);
    } catch (LmdbException e) {
      throw store.failed("read", e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      store.release(transaction);
    }
  }
}

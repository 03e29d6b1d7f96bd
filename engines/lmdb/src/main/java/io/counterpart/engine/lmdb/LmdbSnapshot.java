package io.counterpart.engine.lmdb;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Dbi;
import org.lmdbjava.Txn;

/** A read transaction. Not thread-safe, but threads may hand it on. */
final class LmdbSnapshot implements KvSnapshot {
  private final Dbi<byte[]> database;
  private final Txn<byte[]> transaction;
  private final Consumer<Txn<byte[]>> release;
  private boolean closed;

  /**
   * @param release takes the transaction back when this closes
   */
  LmdbSnapshot(Dbi<byte[]> database, Txn<byte[]> transaction, Consumer<Txn<byte[]>> release) {
    this.database = database;
    this.transaction = transaction;
    this.release = release;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] lmdbKey = LmdbStore.BUCKETS.engineKey(key);
    byte[] value = database.get(transaction, lmdbKey);
    if (value == null || !LmdbStore.BUCKETS.isLong(key)) {
      return value;
    }
    return LmdbStore.BUCKETS.read(lmdbKey, value).get(key);
  }

  @Override
  public KvCursor scan(KvRange range) {
    return new LmdbCursor(database.openCursor(transaction), range);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      release.accept(transaction);
    }
  }
}

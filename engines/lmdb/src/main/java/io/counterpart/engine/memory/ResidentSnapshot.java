package io.counterpart.engine.memory;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import org.jspecify.annotations.Nullable;

/** A snapshot whose single reads ask memory first. */
final class ResidentSnapshot implements KvSnapshot {
  private final ResidentStore store;
  private final KvSnapshot behind;
  private final long version;

  ResidentSnapshot(ResidentStore store, KvSnapshot behind, long version) {
    this.store = store;
    this.behind = behind;
    this.version = version;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] resident = store.resident(key, version);
    if (resident != null) {
      return resident.clone();
    }
    byte[] value = behind.get(key);
    if (value != null) {
      store.keep(key.clone(), value.clone(), version);
    }
    return value;
  }

  @Override
  public KvCursor scan(KvRange range) {
    return behind.scan(range);
  }

  @Override
  public void close() {
    behind.close();
  }
}

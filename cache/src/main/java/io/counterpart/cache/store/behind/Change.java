package io.counterpart.cache.store.behind;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.PersistentRecord;
import org.jspecify.annotations.Nullable;

/**
 * A write or a deletion.
 *
 * @param record null for a deletion
 */
record Change(Key key, @Nullable PersistentRecord record, long timestamp) {
  private static final int OVERHEAD_BYTES = 200;

  /** Approximate bytes of heap. */
  long sizeBytes() {
    return OVERHEAD_BYTES + key.lengthBytes() + (record == null ? 0 : record.value().length);
  }
}

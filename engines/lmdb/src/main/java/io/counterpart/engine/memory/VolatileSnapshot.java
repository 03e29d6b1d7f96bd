package io.counterpart.engine.memory;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/** One version of a {@link VolatileStore}. */
final class VolatileSnapshot implements KvSnapshot {
  private final VolatileStore.State state;
  private final Runnable end;
  private boolean closed;

  /**
   * @param end what the end of the snapshot calls
   */
  VolatileSnapshot(VolatileStore.State state, Runnable end) {
    this.state = state;
    this.end = end;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    VersionedValue found = state.values().get(key);
    byte[] value = found == null ? null : found.asOf(state.version());
    return value == null ? null : value.clone();
  }

  @Override
  public KvCursor scan(KvRange range) {
    return new Walk(within(range).entrySet().iterator(), state.version());
  }

  private ConcurrentNavigableMap<byte[], VersionedValue> within(KvRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    ConcurrentNavigableMap<byte[], VersionedValue> values = state.values();
    if (from != null && to != null && Arrays.compareUnsigned(from, to) >= 0) {
      return values.subMap(from, from);
    }
    if (from != null) {
      values = values.tailMap(from, true);
    }
    if (to != null) {
      values = values.headMap(to, false);
    }
    return range.isReversed() ? values.descendingMap() : values;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      end.run();
    }
  }

  private static final class Walk implements KvCursor {
    private final long version;
    private Iterator<Map.Entry<byte[], VersionedValue>> rest;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    Walk(Iterator<Map.Entry<byte[], VersionedValue>> rest, long version) {
      this.rest = rest;
      this.version = version;
    }

    @Override
    public boolean next() {
      key = null;
      value = null;
      while (value == null && rest.hasNext()) {
        Map.Entry<byte[], VersionedValue> entry = rest.next();
        key = entry.getKey();
        value = entry.getValue().asOf(version);
      }
      return value != null;
    }

    @Override
    public byte[] key() {
      return copy(key);
    }

    @Override
    public byte[] value() {
      return copy(value);
    }

    private byte[] copy(byte @Nullable [] bytes) {
      if (bytes == null || value == null) {
        throw new IllegalStateException("the cursor is at no entry");
      }
      return bytes.clone();
    }

    @Override
    public void close() {
      rest = Collections.emptyIterator();
    }
  }
}

package io.counterpart.engine.conformance;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreStats;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reference: a sorted map that every write copies. Volatile, so no engine for a table. */
public final class MemoryStore implements KvStore {
  private volatile @Nullable NavigableMap<byte[], byte[]> entries = sorted();

  private static NavigableMap<byte[], byte[]> sorted() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  private NavigableMap<byte[], byte[]> open() {
    NavigableMap<byte[], byte[]> now = entries;
    if (now == null) {
      throw new StoreClosedException("memory store");
    }
    return now;
  }

  @Override
  public KvSnapshot snapshot() {
    return new View(open());
  }

  @Override
  public synchronized void write(KvBatch batch) {
    NavigableMap<byte[], byte[]> next = sorted();
    NavigableMap<byte[], byte[]> before = open();
    if (!batch.clears()) {
      next.putAll(before);
    }
    for (KvBatch.Operation operation : batch.operations()) {
      byte[] value = operation.value();
      if (value == null) {
        next.remove(operation.key());
      } else {
        next.put(operation.key(), value);
      }
    }
    entries = next;
  }

  @Override
  public StoreStats stats() {
    NavigableMap<byte[], byte[]> now = open();
    long bytes =
        now.entrySet().stream()
            .mapToLong(entry -> entry.getKey().length + entry.getValue().length)
            .sum();
    return new StoreStats(now.size(), bytes, bytes);
  }

  @Override
  public synchronized void close() {
    entries = null;
  }

  private record View(NavigableMap<byte[], byte[]> entries) implements KvSnapshot {
    @Override
    public byte @Nullable [] get(byte[] key) {
      return entries.get(key);
    }

    @Override
    public KvCursor scan(KvRange range) {
      NavigableMap<byte[], byte[]> within = entries;
      byte[] from = range.from();
      byte[] to = range.to();
      if (from != null && to != null && Arrays.compareUnsigned(from, to) >= 0) {
        return new Walk(Collections.emptyIterator());
      }
      within = from == null ? within : within.tailMap(from, true);
      within = to == null ? within : within.headMap(to, false);
      return new Walk((range.isReversed() ? within.descendingMap() : within).entrySet().iterator());
    }

    @Override
    public void close() {}
  }

  private static final class Walk implements KvCursor {
    private final Iterator<Map.Entry<byte[], byte[]>> rest;
    private Map.@Nullable Entry<byte[], byte[]> current;

    Walk(Iterator<Map.Entry<byte[], byte[]>> rest) {
      this.rest = rest;
    }

    @Override
    public boolean next() {
      current = rest.hasNext() ? rest.next() : null;
      return current != null;
    }

    @Override
    public byte[] key() {
      return entry().getKey();
    }

    @Override
    public byte[] value() {
      return entry().getValue();
    }

    private Map.Entry<byte[], byte[]> entry() {
      if (current == null) {
        throw new IllegalStateException("the cursor is at no entry");
      }
      return current;
    }

    @Override
    public void close() {}
  }
}

package io.counterpart.engine.server;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.conformance.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server's table in memory, whose keys are short and whose pages are shorter than asked. */
final class MapTable implements ServerTable {
  private final MemoryStore entries;
  private final int longestKey;
  private final int mostEntries;
  private int asked;
  private Runnable beforeWrite = () -> {};

  MapTable(MemoryStore entries, int longestKey, int mostEntries) {
    this.entries = entries;
    this.longestKey = longestKey;
    this.mostEntries = mostEntries;
  }

  /** Keys whose values were asked for. */
  int asked() {
    return asked;
  }

  void beforeWrites(Runnable action) {
    beforeWrite = action;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return getAll(List.of(key)).get(0);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    asked += keys.size();
    List<byte @Nullable []> values = new ArrayList<>();
    try (KvSnapshot now = entries.snapshot()) {
      keys.forEach(key -> values.add(now.get(checked(key))));
    }
    return values;
  }

  @Override
  public Page page(KvRange range, int most) {
    List<Entry> page = new ArrayList<>();
    try (KvSnapshot now = entries.snapshot();
        KvCursor cursor = now.scan(range)) {
      while (cursor.next()) {
        if (page.size() == Math.min(most, mostEntries)) {
          return new Page(page, false);
        }
        page.add(new Entry(cursor.key(), cursor.value()));
      }
    }
    return new Page(page, true);
  }

  @Override
  public void write(KvBatch batch) {
    beforeWrite.run();
    batch.operations().forEach(operation -> checked(operation.key()));
    entries.write(batch);
  }

  @Override
  public void settle() {}

  private byte[] checked(byte[] key) {
    if (key.length > longestKey) {
      throw new IllegalArgumentException("a key of " + key.length + " bytes");
    }
    return key;
  }

  @Override
  public void check() {}

  @Override
  public StoreStats stats() {
    return entries.stats();
  }

  @Override
  public void close() {}
}

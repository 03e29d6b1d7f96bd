package io.counterpart.engine.server;

import io.counterpart.engine.KeyBuckets;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.StoreStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table of any keys on a server whose keys are short. */
public final class LongKeys implements ServerTable {
  private final ServerTable table;
  private final KeyBuckets buckets;

  /**
   * @param shared the server's longest key has one byte more
   */
  public LongKeys(ServerTable table, int shared) {
    this(table, new KeyBuckets(shared));
  }

  private LongKeys(ServerTable table, KeyBuckets buckets) {
    this.table = table;
    this.buckets = buckets;
  }

  @Override
  public ServerTable patient() {
    return new LongKeys(table.patient(), buckets);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return value(key, table.get(buckets.engineKey(key)));
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    List<byte @Nullable []> found = table.getAll(keys.stream().map(buckets::engineKey).toList());
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      values.add(value(keys.get(i), found.get(i)));
    }
    return values;
  }

  private byte @Nullable [] value(byte[] key, byte @Nullable [] stored) {
    return stored == null || !buckets.isLong(key)
        ? stored
        : buckets.read(buckets.engineKey(key), stored).get(key);
  }

  @Override
  public Page page(KvRange range, int most) {
    KvRange rest = ofEngine(range);
    while (true) {
      Page page = table.page(rest, most);
      List<Entry> entries = new ArrayList<>();
      for (Entry entry : page.entries()) {
        expand(entry, range, entries);
      }
      if (page.isLast() || !entries.isEmpty()) {
        return new Page(entries, page.isLast());
      }
      rest = Pages.after(rest, page);
    }
  }

  /** A bucket may hold keys on both sides of a bound. */
  private KvRange ofEngine(KvRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    byte[] last = to;
    if (to != null && buckets.isLong(to)) {
      byte[] bucket = buckets.engineKey(to);
      last = Arrays.copyOf(bucket, bucket.length + 1);
    }
    KvRange keys = KvRange.of(from == null ? null : buckets.engineKey(from), last);
    return range.isReversed() ? keys.reverse() : keys;
  }

  private void expand(Entry entry, KvRange range, List<Entry> into) {
    if (!buckets.isLong(entry.key())) {
      into.add(entry);
      return;
    }
    NavigableMap<byte[], byte[]> bucket = buckets.read(entry.key(), entry.value());
    (range.isReversed() ? bucket.descendingMap() : bucket)
        .forEach(
            (key, value) -> {
              if (!range.startsAfter(key) && !range.endsBefore(key)) {
                into.add(new Entry(key, value));
              }
            });
  }

  @Override
  public void write(KvBatch batch) {
    if (batch.operations().stream().noneMatch(operation -> buckets.isLong(operation.key()))) {
      table.write(batch);
      return;
    }
    KvBatch written = batch.clears() ? KvBatch.clearing() : new KvBatch();
    if (batch.shrinks()) {
      written.shrinking();
    }
    Map<byte[], NavigableMap<byte[], byte[]>> changed = new TreeMap<>(Arrays::compareUnsigned);
    for (KvBatch.Operation operation : batch.operations()) {
      byte[] key = operation.key();
      if (buckets.isLong(key)) {
        change(changed.computeIfAbsent(buckets.engineKey(key), at -> bucket(at, batch)), operation);
      } else {
        add(written, key, operation.value());
      }
    }
    changed.forEach(
        (key, bucket) -> add(written, key, bucket.isEmpty() ? null : buckets.write(bucket)));
    table.write(written);
  }

  @Override
  public void settle() {
    table.settle();
  }

  private NavigableMap<byte[], byte[]> bucket(byte[] key, KvBatch batch) {
    byte[] stored = batch.clears() ? null : table.patient().get(key);
    return stored == null ? KeyBuckets.empty() : buckets.read(key, stored);
  }

  private static void change(NavigableMap<byte[], byte[]> bucket, KvBatch.Operation operation) {
    byte[] value = operation.value();
    if (value == null) {
      bucket.remove(operation.key());
    } else {
      bucket.put(operation.key(), value);
    }
  }

  private static void add(KvBatch batch, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      batch.delete(key);
    } else {
      batch.put(key, value);
    }
  }

  @Override
  public void check() {
    table.check();
  }

  @Override
  public StoreStats stats() {
    return table.stats();
  }

  @Override
  public void close() {
    table.close();
  }
}

package io.counterpart.engine.server;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one write replaces: the value of each of its keys before it, or that there was none. */
final class Undo {
  private static final byte[] ABSENT = new byte[0];

  /** Values of any size: a few at a time, until they are too many. */
  private static final int KEYS_AT_ONCE = 256;

  private final NavigableMap<byte[], byte[]> before;
  private final long bytes;

  private Undo(NavigableMap<byte[], byte[]> before, long bytes) {
    this.before = before;
    this.bytes = bytes;
  }

  /**
   * Asks the table, so before the write.
   *
   * @param mostBytes that may be kept
   * @return null if it takes more
   */
  static @Nullable Undo of(KvBatch batch, ServerTable table, long mostBytes) {
    NavigableMap<byte[], byte[]> before = new TreeMap<>(Arrays::compareUnsigned);
    batch.operations().forEach(operation -> before.put(operation.key(), ABSENT));
    List<byte[]> keys = List.copyOf(before.keySet());
    long bytes = 0;
    for (int from = 0; from < keys.size() && bytes <= mostBytes; from += KEYS_AT_ONCE) {
      List<byte[]> some = keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE));
      List<byte @Nullable []> values = table.getAll(some);
      for (int i = 0; i < some.size(); i++) {
        byte[] value = values.get(i);
        bytes += some.get(i).length;
        if (value != null) {
          before.put(some.get(i), value);
          bytes += value.length;
        }
      }
    }
    return bytes > mostBytes ? null : new Undo(before, bytes);
  }

  long bytes() {
    return bytes;
  }

  boolean has(byte[] key) {
    return before.containsKey(key);
  }

  /** The value of a key that the undo has; null if there was none. */
  byte @Nullable [] value(byte[] key) {
    byte[] value = before.get(key);
    return value == ABSENT ? null : value;
  }

  /** The keys within a range. */
  Iterable<byte[]> keys(KvRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    if (from != null && to != null && Arrays.compareUnsigned(from, to) >= 0) {
      return Collections.emptyList();
    }
    NavigableMap<byte[], byte[]> within = from == null ? before : before.tailMap(from, true);
    return (to == null ? within : within.headMap(to, false)).keySet();
  }
}

package io.counterpart.engine.lmdb;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.LmdbException;
import org.lmdbjava.SeekOp;

/** Walks through LMDB's entries and through the buckets among them. */
final class LmdbCursor implements KvCursor {
  private final LmdbStore store;
  private final Cursor<byte[]> cursor;
  private final KvRange range;

  /** What is left of the bucket at the cursor. */
  private final Deque<Map.Entry<byte[], byte[]>> bucket = new ArrayDeque<>();

  private boolean started;
  private boolean ended;
  private boolean closed;
  private byte @Nullable [] key;
  private byte @Nullable [] value;

  LmdbCursor(LmdbStore store, Cursor<byte[]> cursor, KvRange range) {
    this.store = store;
    this.cursor = cursor;
    this.range = range;
  }

  @Override
  public boolean next() {
    while (!ended) {
      if (!bucket.isEmpty()) {
        Map.Entry<byte[], byte[]> entry = bucket.removeFirst();
        key = entry.getKey();
        value = entry.getValue();
      } else if (!step()) {
        break;
      } else if (LmdbStore.BUCKETS.isLong(cursor.key())) {
        open(LmdbStore.BUCKETS.read(cursor.key(), cursor.val()));
        continue;
      } else {
        key = cursor.key();
        value = cursor.val();
      }
      if (range.startsAfter(key)) {
        ended = range.isReversed();
      } else if (range.endsBefore(key)) {
        ended = !range.isReversed();
      } else {
        return true;
      }
    }
    ended = true;
    return false;
  }

  private void open(NavigableMap<byte[], byte[]> entries) {
    bucket.addAll((range.isReversed() ? entries.descendingMap() : entries).entrySet());
  }

  private boolean step() {
    try {
      return isAtNext();
    } catch (LmdbException e) {
      throw store.failed("read", e);
    }
  }

  private boolean isAtNext() {
    if (started) {
      return range.isReversed() ? cursor.prev() : cursor.next();
    }
    started = true;
    return range.isReversed() ? last() : first();
  }

  private boolean first() {
    byte[] from = range.from();
    return from == null
        ? cursor.seek(SeekOp.MDB_FIRST)
        : cursor.get(LmdbStore.BUCKETS.engineKey(from), GetOp.MDB_SET_RANGE);
  }

  private boolean last() {
    byte[] to = range.to();
    if (to == null || !cursor.get(LmdbStore.BUCKETS.engineKey(to), GetOp.MDB_SET_RANGE)) {
      return cursor.seek(SeekOp.MDB_LAST);
    }
    // a bucket may hold keys on both sides of the bound
    return Arrays.equals(cursor.key(), LmdbStore.BUCKETS.engineKey(to)) || cursor.prev();
  }

  @Override
  public byte[] key() {
    return current(key);
  }

  @Override
  public byte[] value() {
    return current(value);
  }

  private byte[] current(byte @Nullable [] part) {
    if (part == null || ended) {
      throw new IllegalStateException("the cursor is at no entry");
    }
    return part;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ended = true;
      cursor.close();
    }
  }
}

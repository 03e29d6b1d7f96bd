package io.counterpart.engine.server;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One version of a {@link ServerStore}. */
final class ServerSnapshot implements KvSnapshot {
  private final ServerStore store;
  private final ServerTable table;
  private final long version;
  private boolean closed;

  ServerSnapshot(ServerStore store, ServerTable table, long version) {
    this.store = store;
    this.table = table;
    this.version = version;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] now = table.get(key);
    for (Undo undo : store.since(version)) {
      if (undo.has(key)) {
        return undo.value(key);
      }
    }
    return now;
  }

  @Override
  public KvCursor scan(KvRange range) {
    return new ServerCursor(this, range);
  }

  /**
   * A page of the table as this version was.
   *
   * @param entries none is possible also before the last page
   * @param rest what comes behind; null after the last page
   */
  record Page(List<ServerTable.Entry> entries, @Nullable KvRange rest) {}

  Page page(KvRange range, int most) {
    ServerTable.Page now = table.page(range, most);
    return new Page(then(range, now), now.isLast() ? null : Pages.after(range, now));
  }

  private List<ServerTable.Entry> then(KvRange range, ServerTable.Page now) {
    List<Undo> undos = store.since(version);
    if (undos.isEmpty()) {
      return now.entries();
    }
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    now.entries().forEach(entry -> entries.put(entry.key(), entry.value()));
    KvRange covered = Pages.covered(range, now);
    // the oldest undo of a key is the one that counts
    for (int i = undos.size() - 1; i >= 0; i--) {
      Undo undo = undos.get(i);
      for (byte[] key : undo.keys(covered)) {
        byte[] before = undo.value(key);
        if (before == null) {
          entries.remove(key);
        } else {
          entries.put(key, before);
        }
      }
    }
    List<ServerTable.Entry> then = new ArrayList<>();
    (range.isReversed() ? entries.descendingMap() : entries)
        .forEach((key, value) -> then.add(new ServerTable.Entry(key, value)));
    return then;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      store.leave(version);
    }
  }
}

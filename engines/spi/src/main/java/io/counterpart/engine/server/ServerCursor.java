package io.counterpart.engine.server;

import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Walks through a snapshot page by page: a short first page, since most readers want few. */
final class ServerCursor implements KvCursor {
  private static final int FIRST_PAGE = 16;
  private static final int MOST_PAGE = 512;

  private final ServerSnapshot snapshot;
  private final Deque<ServerTable.Entry> read = new ArrayDeque<>();
  private @Nullable KvRange rest;
  private int most = FIRST_PAGE;
  private ServerTable.@Nullable Entry current;

  ServerCursor(ServerSnapshot snapshot, KvRange range) {
    this.snapshot = snapshot;
    this.rest = isEmpty(range) ? null : range;
  }

  private static boolean isEmpty(KvRange range) {
    byte[] from = range.from();
    return from != null && range.endsBefore(from);
  }

  @Override
  public boolean next() {
    while (read.isEmpty() && rest != null) {
      ServerSnapshot.Page page = snapshot.page(rest, most);
      read.addAll(page.entries());
      rest = page.rest();
      most = Math.min(MOST_PAGE, 2 * most);
    }
    current = read.pollFirst();
    return current != null;
  }

  @Override
  public byte[] key() {
    return entry().key();
  }

  @Override
  public byte[] value() {
    return entry().value();
  }

  private ServerTable.Entry entry() {
    if (current == null) {
      throw new IllegalStateException("the cursor is at no entry");
    }
    return current;
  }

  @Override
  public void close() {
    read.clear();
    rest = null;
    current = null;
  }
}

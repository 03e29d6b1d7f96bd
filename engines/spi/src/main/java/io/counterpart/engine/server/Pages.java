package io.counterpart.engine.server;

import io.counterpart.engine.KvRange;
import java.util.Arrays;
import java.util.List;

/** Ranges that are read page by page. */
final class Pages {

  private Pages() {}

  /** What a page has left of its range. */
  static KvRange after(KvRange range, ServerTable.Page page) {
    List<ServerTable.Entry> entries = page.entries();
    byte[] last = entries.get(entries.size() - 1).key();
    return range.isReversed()
        ? KvRange.of(range.from(), last).reverse()
        : KvRange.of(successor(last), range.to());
  }

  /** What a page has read of its range. */
  static KvRange covered(KvRange range, ServerTable.Page page) {
    if (page.isLast()) {
      return KvRange.of(range.from(), range.to());
    }
    List<ServerTable.Entry> entries = page.entries();
    byte[] last = entries.get(entries.size() - 1).key();
    return range.isReversed()
        ? KvRange.of(last, range.to())
        : KvRange.of(range.from(), successor(last));
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}

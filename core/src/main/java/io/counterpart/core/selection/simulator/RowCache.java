package io.counterpart.core.selection.simulator;

import java.util.LinkedHashMap;
import java.util.Map;

/** The rows that a node read last. Not thread-safe. */
final class RowCache {
  private final int most;
  private final LinkedHashMap<Integer, Boolean> rows = new LinkedHashMap<>(16, 0.75f, true);

  RowCache(int most) {
    this.most = most;
  }

  /** Whether the cache held the row; it does from now on. */
  boolean read(int key) {
    if (most == 0) {
      return false;
    }
    if (rows.put(key, Boolean.TRUE) != null) {
      return true;
    }
    if (rows.size() > most) {
      Map.Entry<Integer, Boolean> eldest = rows.entrySet().iterator().next();
      rows.remove(eldest.getKey());
    }
    return false;
  }
}

package io.counterpart.cassandra.compaction;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers the trees without work, so that a check does not ask them again: each tree looks at
 * every live sstable of the table, and there may be a tree for each range group. An answer holds
 * until the tree's sstables change, and for a minute, since expiry and tombstones come due with
 * time. An answer given while one of the tree's sstables was being compacted is not kept, because a
 * failing compaction ends without notice. Not thread-safe.
 */
final class IdleTrees {
  static final long HOLDS_NANOS = 60_000_000_000L;

  private final Map<Integer, Long> idleSinceNanos = new HashMap<>();

  /**
   * @param busy trees of which sstables are being compacted
   */
  boolean isIdle(int tree, Set<Integer> busy, long nowNanos) {
    Long since = idleSinceNanos.get(tree);
    return since != null && !busy.contains(tree) && nowNanos - since < HOLDS_NANOS;
  }

  /** The tree has answered that it has nothing to do. */
  void idle(int tree, Set<Integer> busy, long nowNanos) {
    if (!busy.contains(tree)) {
      idleSinceNanos.put(tree, nowNanos);
    }
  }

  void changed(int tree) {
    idleSinceNanos.remove(tree);
  }

  void clear() {
    idleSinceNanos.clear();
  }
}

package io.counterpart.engine.memory;

import java.util.Map;
import java.util.TreeMap;

/** The versions that open snapshots show, with the number of snapshots of each. Not thread-safe. */
final class OpenVersions {
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  void add(long version) {
    open.merge(version, 1, Integer::sum);
  }

  void remove(long version) {
    open.computeIfPresent(version, (same, count) -> count == 1 ? null : count - 1);
  }

  /** The oldest one; of none open, the newest that there is. */
  long oldest(long newest) {
    Map.Entry<Long, Integer> first = open.firstEntry();
    return first == null ? newest : first.getKey();
  }
}

package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.ring.Placed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Clock;

/**
 * The fully expired sstables of an instance: every cell has expired, and they shadow nothing in an
 * overlapping sstable. Uses Cassandra's own check, for each group separately, because live data in
 * one group hold back nothing in another. Not thread-safe: guarded by the strategy's lock.
 */
final class ExpiredSSTables {
  /** Between two checks: each looks for overlaps among all live sstables. */
  private static final long CHECK_MILLIS = 20_000;

  private final ColumnFamilyStore cfs;
  private long checkedMillis = -CHECK_MILLIS;
  private Set<SSTableReader> found = Set.of();

  ExpiredSSTables(ColumnFamilyStore cfs) {
    this.cfs = cfs;
  }

  /** As of the last check; makes a new one where that is 20 seconds old. */
  Set<SSTableReader> check(Catalog catalog, Collection<SSTableReader> free, long gcBefore) {
    long nowMillis = Clock.Global.currentTimeMillis();
    if (nowMillis - checkedMillis >= CHECK_MILLIS) {
      checkedMillis = nowMillis;
      found = find(catalog, free, gcBefore);
    }
    return found;
  }

  /** As of the last check. */
  Set<SSTableReader> known() {
    return found;
  }

  private Set<SSTableReader> find(Catalog catalog, Collection<SSTableReader> free, long gcBefore) {
    Map<Placed, List<SSTableReader>> candidates = new HashMap<>();
    for (SSTableReader sstable : free) {
      Placed where = catalog.placed(sstable);
      if (where != null && sstable.getMaxLocalDeletionTime() < gcBefore) {
        candidates
            .computeIfAbsent(
                new Placed(where.role(), where.group(), Placed.NO_GROUP), k -> new ArrayList<>())
            .add(sstable);
      }
    }
    Set<SSTableReader> expired = new HashSet<>();
    for (List<SSTableReader> group : candidates.values()) {
      expired.addAll(
          CompactionController.getFullyExpiredSSTables(
              cfs, group, cfs.getOverlappingLiveSSTables(group), gcBefore));
    }
    return expired;
  }
}

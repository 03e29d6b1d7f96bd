package io.counterpart.cassandra.compaction;

import com.google.common.collect.Sets;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The fully expired sstables of an instance: every cell has expired, and they shadow nothing in an
 * overlapping sstable. Uses Cassandra's own check, for each group separately, because live data in
 * one group hold back nothing in another. Not thread-safe but for {@link #mustStay}: guarded by the
 * strategy's lock.
 */
final class ExpiredSSTables {
  /** Between two checks: each looks for overlaps among all live sstables. */
  static final long CHECK_MILLIS = 20_000;

  private final Check check;
  private boolean checked;
  private long checkedMillis;
  private Set<SSTableReader> found = Set.of();

  /** Of those found, the ones that a task has left. */
  private final Set<SSTableReader> staying = ConcurrentHashMap.newKeySet();

  /** Finds those that have expired. */
  @FunctionalInterface
  interface Check {
    /**
     * @param gcBefore in seconds since the epoch: what expired before may go
     */
    Set<SSTableReader> expired(long gcBefore);
  }

  ExpiredSSTables(Check check) {
    this.check = check;
  }

  /** Of the sstables that the planner may compact, as the catalog has placed them. */
  static ExpiredSSTables of(ColumnFamilyStore cfs, Catalog catalog, TablePlanner planner) {
    return new ExpiredSSTables(gcBefore -> find(cfs, catalog, planner.free(), gcBefore));
  }

  /** As of the last check; makes a new one where that is 20 seconds away. */
  Set<SSTableReader> at(long nowMillis, long gcBefore) {
    if (!checked || Math.abs(nowMillis - checkedMillis) >= CHECK_MILLIS) {
      checked = true;
      checkedMillis = nowMillis;
      staying.clear();
      found = check.expired(gcBefore);
    }
    return known();
  }

  /** As of the last check. */
  Set<SSTableReader> known() {
    return staying.isEmpty() ? found : Set.copyOf(Sets.difference(found, staying));
  }

  /**
   * Leaves out until the next check what a task could not drop: it would be offered again at once,
   * and again. Thread-safe.
   */
  void mustStay(SSTableReader sstable) {
    staying.add(sstable);
  }

  private static Set<SSTableReader> find(
      ColumnFamilyStore cfs, Catalog catalog, Collection<SSTableReader> free, long gcBefore) {
    Map<Placed, List<SSTableReader>> candidates = new HashMap<>();
    for (SSTableReader sstable : free) {
      Placed where = catalog.placed(sstable);
      if (where != null && sstable.getMaxLocalDeletionTime() < gcBefore) {
        candidates.computeIfAbsent(alike(where), k -> new ArrayList<>()).add(sstable);
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

  /** Of one role and group; with a tree for each replica index of one tree. */
  private static Placed alike(Placed where) {
    return where.role() == Role.PRIMARY
        ? where
        : new Placed(where.role(), where.group(), Placed.NO_GROUP);
  }
}

package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.SplitTime;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.writer.RecentFlushes;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.plan.Flushes;
import io.counterpart.core.plan.GroupCounts;
import io.counterpart.core.plan.LogBytes;
import io.counterpart.core.plan.PlanOptions;
import io.counterpart.core.plan.Planner;
import io.counterpart.core.plan.SmallTable;
import io.counterpart.core.plan.TableState;
import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.AdaptiveRuns;
import io.counterpart.core.runs.RunPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DiskBoundaries;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code core.plan} about the sstables of a {@link Catalog}. Guarded by the owning strategy's
 * lock, but for {@link #isUndivided}.
 */
final class TablePlanner {
  private final ColumnFamilyStore cfs;
  private final DecoupledOptions options;
  private final Catalog catalog;
  private final RecentFlushes flushes;
  private final SmallTable small;
  private final double tombstoneThreshold;
  private @Nullable KnownGroups known;
  private volatile LogBytes log = LogBytes.NONE;

  /** The count of groups, kept for as long as ring and data directories stay. */
  private record KnownGroups(RingSnapshot ring, DiskBoundaries disks, GroupCounts groups) {}

  TablePlanner(
      ColumnFamilyStore cfs,
      DecoupledOptions options,
      Catalog catalog,
      RecentFlushes flushes,
      double tombstoneThreshold) {
    this.cfs = cfs;
    this.options = options;
    this.catalog = catalog;
    this.flushes = flushes;
    this.tombstoneThreshold = tombstoneThreshold;
    // flushes that are to be split at once leave no log that could stay undivided; and primary
    // copies between redundant ones could not go to a store
    boolean divides =
        options.mode() != Mode.DECOUPLED
            || options.splitTime() == SplitTime.FLUSH
            || options.storesPrimaries();
    this.small =
        divides
            ? SmallTable.never()
            : new SmallTable(options.minRunBytes(), options.sstableBytes());
  }

  /** Everything that no other task holds, and that may be compacted. */
  List<SSTableReader> free() {
    Set<SSTableReader> compacting = cfs.getTracker().getCompacting();
    return catalog.all().stream().filter(sstable -> isFree(sstable, compacting)).toList();
  }

  private static boolean isFree(SSTableReader sstable, Set<SSTableReader> compacting) {
    return !compacting.contains(sstable)
        && !sstable.isMarkedSuspect()
        && !sstable.isPendingRepair()
        && sstable.openReason != OpenReason.EARLY;
  }

  /**
   * @param urgentInARow urgent tasks since the tree had its turn
   * @param stateOf of a free sstable
   */
  PlanningView view(
      Rewrites.Moment moment, int urgentInARow, Function<SSTableReader, FileState> stateOf) {
    measure();
    Set<SSTableReader> compacting = cfs.getTracker().getCompacting();
    List<SSTableReader> sstables = List.copyOf(catalog.all());
    TableState<PartitionPosition> state =
        new TableState<>(
            PlanningView.files(
                sstables,
                catalog,
                moment.ring().view(),
                sstable -> isFree(sstable, compacting) ? stateOf.apply(sstable) : FileState.BUSY),
            groups(moment.ring(), sstables),
            liveBytes(),
            new Flushes(Math.round(cfs.metric.flushSizeOnDisk.get()), flushes.largestBytes()),
            moment.nowMillis(),
            urgentInARow);
    return new PlanningView(sstables, state, new Planner<>(planOptions(moment.ring())));
  }

  /**
   * Measures what {@link #isUndivided} goes by, as each plan does: to be called where flushes may
   * come before the first plan.
   */
  void measure() {
    LogBytes sum = LogBytes.NONE;
    for (SSTableReader sstable : catalog.all()) {
      Placed where = catalog.placed(sstable);
      if (where != null) {
        sum = sum.plus(where.role(), sstable.onDiskLength());
      }
    }
    log = sum;
  }

  /**
   * Whether a flush or stream stays one file, by what was measured last: a flush is not to wait for
   * the lock. Thread-safe.
   *
   * @param comingBytes that are about to be written
   */
  boolean isUndivided(RingSnapshot ring, long comingBytes) {
    return small.isUndivided(
        liveBytes() + comingBytes,
        log,
        ring.view().primaryGroups() + ring.view().redundantGroups());
  }

  /** Outputs that are opened early stand for parts of inputs that count whole. */
  private long liveBytes() {
    return cfs.getLiveSSTables().stream()
        .filter(sstable -> sstable.openReason != OpenReason.EARLY)
        .mapToLong(SSTableReader::onDiskLength)
        .sum();
  }

  private PlanOptions planOptions(RingSnapshot ring) {
    return new PlanOptions(
        options.split(), options.primaryBatch(), runs(ring), small, tombstoneThreshold);
  }

  /** S of each group. */
  private IntFunction<RunPolicy> runs(RingSnapshot ring) {
    RunPolicy policy = options.runPolicy();
    AdaptiveRuns adaptive = options.adaptiveRuns();
    if (adaptive == null) {
      return group -> policy;
    }
    GroupRates rates = new GroupRates(() -> cfs.metric.writeLatency.latency.getFifteenMinuteRate());
    int owned = ring.view().primaryGroups() + ring.view().redundantGroups();
    double writes = rates.writesPerSecond(owned);
    Map<Integer, List<SSTableReader>> runs = catalog.byGroup(Role.RUN);
    return group ->
        policy.withMaxRuns(
            adaptive.runsFor(rates.readsPerSecond(runs.getOrDefault(group, List.of())), writes));
  }

  /** The groups of this instance's data directory, which any of its sstables tells. */
  private GroupCounts groups(RingSnapshot ring, List<SSTableReader> sstables) {
    DiskBoundaries disks = cfs.getDiskBoundaries();
    KnownGroups last = known;
    if (last != null && last.ring() == ring && last.disks() == disks) {
      return last.groups();
    }
    List<PartitionPosition> ends = disks.positions;
    if (ends == null || sstables.isEmpty()) {
      return DiskGroups.<Token>within(ring.view(), null, null);
    }
    int disk = disks.getDiskIndex(sstables.get(0));
    GroupCounts groups =
        DiskGroups.within(
            ring.view(),
            disk == 0 ? null : ends.get(disk - 1).getToken(),
            disk == ends.size() - 1 ? null : ends.get(disk).getToken());
    known = new KnownGroups(ring, disks, groups);
    return groups;
  }
}

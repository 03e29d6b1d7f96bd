package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.SplitTime;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.plan.GroupCounts;
import io.counterpart.core.plan.PlanOptions;
import io.counterpart.core.plan.Planner;
import io.counterpart.core.plan.SmallTable;
import io.counterpart.core.plan.TableState;
import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.AdaptiveRuns;
import io.counterpart.core.runs.RunPolicy;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DiskBoundaries;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.apache.cassandra.utils.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code core.plan} about the sstables of a {@link Catalog}. Guarded by the owning strategy's
 * lock, but for {@link #isUndivided}.
 */
final class TablePlanner {
  private final ColumnFamilyStore cfs;
  private final DecoupledOptions options;
  private final Catalog catalog;
  private final SmallTable small;
  private final double tombstoneThreshold;
  private @Nullable KnownGroups known;
  private volatile Sizes sizes = new Sizes(0, 0);

  /** The count of groups, kept for as long as ring and data directories stay. */
  private record KnownGroups(RingSnapshot ring, DiskBoundaries disks, GroupCounts groups) {}

  /** Bytes of this instance's files, by whether their copies lie in groups; FOREIGN in neither. */
  private record Sizes(long divided, long undivided) {}

  TablePlanner(
      ColumnFamilyStore cfs, DecoupledOptions options, Catalog catalog, double tombstoneThreshold) {
    this.cfs = cfs;
    this.options = options;
    this.catalog = catalog;
    this.tombstoneThreshold = tombstoneThreshold;
    // flushes that are to be split at once leave no log that could stay undivided
    boolean divides = options.mode() != Mode.DECOUPLED || options.splitTime() == SplitTime.FLUSH;
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
      RingSnapshot ring, int urgentInARow, Function<SSTableReader, FileState> stateOf) {
    sizes = measured();
    Set<SSTableReader> compacting = cfs.getTracker().getCompacting();
    List<SSTableReader> sstables = List.copyOf(catalog.all());
    TableState<PartitionPosition> state =
        new TableState<>(
            PlanningView.files(
                sstables,
                catalog,
                sstable -> isFree(sstable, compacting) ? stateOf.apply(sstable) : FileState.BUSY),
            groups(ring, sstables),
            liveBytes(),
            flushBytes(),
            Clock.Global.currentTimeMillis(),
            urgentInARow);
    return new PlanningView(sstables, state, new Planner<>(planOptions(ring)));
  }

  /**
   * Whether a flush or stream stays one file, by the sizes that were planned with last: a flush is
   * not to wait for the lock. Thread-safe.
   *
   * @param comingBytes that are about to be written
   */
  boolean isUndivided(RingSnapshot ring, long comingBytes) {
    Sizes last = sizes;
    return small.isUndivided(
        liveBytes() + comingBytes,
        last.divided(),
        last.undivided(),
        ring.view().primaryGroups() + ring.view().redundantGroups());
  }

  private Sizes measured() {
    long mixed = Catalog.bytes(catalog.withRole(Role.MIXED));
    long foreign = Catalog.bytes(catalog.withRole(Role.FOREIGN));
    return new Sizes(Catalog.bytes(catalog.all()) - mixed - foreign, mixed);
  }

  /** Outputs that are opened early stand for parts of inputs that count whole. */
  private long liveBytes() {
    return cfs.getLiveSSTables().stream()
        .filter(sstable -> sstable.openReason != OpenReason.EARLY)
        .mapToLong(SSTableReader::onDiskLength)
        .sum();
  }

  private long flushBytes() {
    return Math.round(cfs.metric.flushSizeOnDisk.get());
  }

  private PlanOptions planOptions(RingSnapshot ring) {
    return new PlanOptions(
        options.split(),
        options.primaryBatch(),
        group -> runsOf(group, ring),
        small,
        tombstoneThreshold);
  }

  private RunPolicy runsOf(int group, RingSnapshot ring) {
    RunPolicy policy = options.runPolicy();
    AdaptiveRuns adaptive = options.adaptiveRuns();
    if (adaptive == null) {
      return policy;
    }
    GroupRates rates = new GroupRates(() -> cfs.metric.writeLatency.latency.getFifteenMinuteRate());
    List<SSTableReader> runs = catalog.byGroup(Role.RUN).getOrDefault(group, List.of());
    int owned = ring.view().primaryGroups() + ring.view().redundantGroups();
    return policy.withMaxRuns(
        adaptive.runsFor(rates.readsPerSecond(runs), rates.writesPerSecond(owned)));
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

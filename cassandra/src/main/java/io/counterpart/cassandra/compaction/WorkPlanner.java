package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.AdaptiveRuns;
import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.RunPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.apache.cassandra.utils.Overlaps;

/**
 * Lists the rewrites that are due in the two-layer log, the most pressing first: applies the
 * policies of {@code core.runs} to the sstables of a {@link Catalog}. Has no state of its own.
 */
final class WorkPlanner {
  /** Sstables of mixed content that one task takes: bounds the disk space that it needs. */
  private static final int MAX_REALIGN = 32;

  private final DecoupledOptions options;
  private final GroupRates rates;
  private final LongSupplier clockMillis;

  WorkPlanner(DecoupledOptions options, GroupRates rates, LongSupplier clockMillis) {
    this.rates = rates;
    this.options = options;
    this.clockMillis = clockMillis;
  }

  /**
   * What there is to do.
   *
   * @param due queues at their limit, merges, primary batches, splits, realignment, in this order
   * @param untilQuiet for each queue that is rewritten if no more files come to it: the time left
   */
  record Plan(List<Work> due, List<Duration> untilQuiet) {
    static final Plan EMPTY = new Plan(List.of(), List.of());
  }

  /**
   * @param compacting sstables that other tasks hold
   */
  Plan plan(Catalog catalog, RingSnapshot ring, Set<SSTableReader> compacting) {
    List<Work> due = new ArrayList<>();
    List<Duration> untilQuiet = new ArrayList<>();
    long now = clockMillis.getAsLong();
    for (BatchQueue queue : queues(catalog, ring, compacting)) {
      BatchDecision decision = queue.decide(now);
      if (decision instanceof BatchDecision.Rewrite rewrite) {
        due.add(queue.work(rewrite));
      } else if (decision instanceof BatchDecision.Wait wait) {
        wait.untilQuiet().ifPresent(untilQuiet::add);
      }
    }
    addMerges(due, catalog, ring, compacting);
    addRealign(due, untilQuiet, free(catalog.withRole(Role.MIXED), compacting), ring);
    due.sort(Comparator.comparing(Work::urgent).reversed());
    return new Plan(due, untilQuiet);
  }

  private RunPolicy policyFor(List<SSTableReader> group, RingSnapshot ring) {
    RunPolicy policy = options.runPolicy();
    AdaptiveRuns adaptive = options.adaptiveRuns();
    return adaptive == null
        ? policy
        : policy.withMaxRuns(
            adaptive.runsFor(rates.readsPerSecond(group), rates.writesPerSecond(groups(ring))));
  }

  private void addMerges(
      List<Work> found, Catalog catalog, RingSnapshot ring, Set<SSTableReader> compacting) {
    for (List<SSTableReader> group : catalog.byGroup(Role.RUN).values()) {
      List<SSTableReader> runs = deepest(free(group, compacting));
      List<Integer> picked =
          policyFor(group, ring).pick(runs.stream().map(SSTableReader::onDiskLength).toList());
      if (!picked.isEmpty()) {
        found.add(new Work(Work.Kind.MERGE, picked.stream().map(runs::get).toList(), true));
      }
    }
  }

  /**
   * Whole groups of runs in which at least one run is worth purging. The whole group at once: what
   * a tombstone shadows lies in the other runs of its group and nowhere else but in the log.
   */
  List<Work> purges(
      Catalog catalog, Set<SSTableReader> compacting, Predicate<SSTableReader> worthPurging) {
    List<Work> found = new ArrayList<>();
    for (List<SSTableReader> group : catalog.byGroup(Role.RUN).values()) {
      List<SSTableReader> runs = free(group, compacting);
      if (runs.size() == group.size() && runs.stream().anyMatch(worthPurging)) {
        found.add(new Work(Work.Kind.MERGE, runs, false));
      }
    }
    return found;
  }

  /** Sets that each become one sstable a group: all at once where wide files span the groups. */
  static Collection<List<SSTableReader>> wholeGroups(
      Catalog catalog, Iterable<SSTableReader> sstables) {
    Map<Integer, List<SSTableReader>> byGroup = new LinkedHashMap<>();
    for (SSTableReader sstable : sstables) {
      Placed where = catalog.placed(sstable);
      if (where != null && where.role() != Role.FOREIGN) {
        byGroup.computeIfAbsent(where.group(), group -> new ArrayList<>()).add(sstable);
      }
    }
    if (!byGroup.containsKey(Placed.NO_GROUP)) {
      return byGroup.values();
    }
    List<SSTableReader> everything = new ArrayList<>();
    byGroup.values().forEach(everything::addAll);
    return List.of(everything);
  }

  /** The largest set of sstables that one token may be in: each is part of a run of its own. */
  private static List<SSTableReader> deepest(List<SSTableReader> sstables) {
    List<SSTableReader> deepest = List.of();
    for (Set<SSTableReader> section :
        Overlaps.constructOverlapSets(
            new ArrayList<>(sstables),
            (a, b) -> a.getFirst().compareTo(b.getLast()) > 0,
            SSTableReader.firstKeyComparator,
            SSTableReader.lastKeyComparator)) {
      if (section.size() > deepest.size()) {
        deepest = List.copyOf(section);
      }
    }
    return deepest;
  }

  private List<BatchQueue> queues(
      Catalog catalog, RingSnapshot ring, Set<SSTableReader> compacting) {
    return List.of(
        new BatchQueue(
            Work.Kind.PRIMARY_BATCH,
            options.primaryBatch(),
            free(catalog.withRole(Role.WIDE_PRIMARY), compacting),
            settled(catalog, Role.PRIMARY, ring.view().primaryGroups(), compacting)),
        new BatchQueue(
            Work.Kind.SPLIT,
            options.split(),
            free(catalog.withRole(Role.SEGMENT), compacting),
            settled(catalog, Role.RUN, ring.view().redundantGroups(), compacting)));
  }

  private static BatchQueue.Settled settled(
      Catalog catalog, Role role, int groups, Set<SSTableReader> compacting) {
    Collection<List<SSTableReader>> byGroup = catalog.byGroup(role).values();
    return new BatchQueue.Settled(
        groups,
        byGroup.stream().mapToLong(Catalog::bytes).sum(),
        byGroup.stream().map(group -> free(group, compacting)).toList());
  }

  /**
   * Mixed sstables wait for company like segments do, unless they alone fill a run for each group:
   * a table whose flushes cannot be split (vector index) would otherwise be cut into slivers.
   */
  private void addRealign(
      List<Work> due, List<Duration> untilQuiet, List<SSTableReader> mixed, RingSnapshot ring) {
    // weighed against nothing: content of both kinds never stays in a quiet table
    BatchQueue queue =
        new BatchQueue(
            Work.Kind.REALIGN, options.split(), mixed, BatchQueue.Settled.nothing(groups(ring)));
    BatchDecision decision = queue.decide(clockMillis.getAsLong());
    boolean filling = Catalog.bytes(mixed) >= options.minRunBytes() * groups(ring);
    if (!mixed.isEmpty() && (filling || decision instanceof BatchDecision.Rewrite)) {
      // neighbours together: their output is a few full groups instead of slivers of many
      mixed.sort(SSTableReader.firstKeyComparator);
      List<SSTableReader> batch = mixed.subList(0, Math.min(MAX_REALIGN, mixed.size()));
      due.add(new Work(Work.Kind.REALIGN, batch, false));
    }
    if (decision instanceof BatchDecision.Wait wait) {
      wait.untilQuiet().ifPresent(untilQuiet::add);
    }
  }

  private static int groups(RingSnapshot ring) {
    return ring.view().primaryGroups() + ring.view().redundantGroups();
  }

  private static List<SSTableReader> free(
      Collection<SSTableReader> sstables, Set<SSTableReader> compacting) {
    List<SSTableReader> free = new ArrayList<>(sstables.size());
    for (SSTableReader sstable : sstables) {
      if (!compacting.contains(sstable)
          && !sstable.isMarkedSuspect()
          && !sstable.isPendingRepair()
          && sstable.openReason != OpenReason.EARLY) {
        free.add(sstable);
      }
    }
    return free;
  }
}

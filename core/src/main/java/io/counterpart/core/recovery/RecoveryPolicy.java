package io.counterpart.core.recovery;

import io.counterpart.core.recovery.KeyspaceDecision.Refuse;
import io.counterpart.core.recovery.KeyspaceDecision.Restore;
import io.counterpart.core.recovery.KeyspaceDecision.Skip;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the method that restores a keyspace of a running node. A node known to be empty needs no
 * Merkle trees. A node with data is compared first, since streaming everything again would double
 * its data.
 *
 * <p>Paper: DEPART §4.5. Deviates: the paper compares Merkle trees in every case; {@link
 * RecoveryMode#REPAIR} does so here.
 *
 * <p>A rebuild of tables with formats by role names its sources, see {@link RedundantSources}. Each
 * set of sources is a step at least.
 *
 * @param steps parts that each role's ranges are cut into, 1 to {@value #MAX_STEPS}; empty: as many
 *     as leave about {@value #STEP_BYTES} bytes for each, {@value #MOST_BY_SIZE} at most
 */
public record RecoveryPolicy(RecoveryMode mode, OptionalInt steps) {
  /** Beyond this a step's fixed cost outweighs what an interruption can lose. */
  public static final int MAX_STEPS = 256;

  /** What an interruption may lose: some ten seconds of streaming. */
  static final long STEP_BYTES = 1L << 30;

  /** So many that less than two hundredths are lost. */
  static final int MOST_BY_SIZE = 64;

  /** Where nobody knows how much there is. */
  static final int UNSIZED_STEPS = 8;

  /** Checks. */
  public RecoveryPolicy {
    if (steps.isPresent() && (steps.getAsInt() < 1 || steps.getAsInt() > MAX_STEPS)) {
      throw new IllegalArgumentException(
          "steps is " + steps.getAsInt() + ", not in 1.." + MAX_STEPS);
    }
  }

  /** A policy that chooses the number of steps by size. */
  public static RecoveryPolicy of(RecoveryMode mode) {
    return new RecoveryPolicy(mode, OptionalInt.empty());
  }

  /** The decision for one keyspace, given what an earlier run that broke off has restored. */
  public KeyspaceDecision decide(KeyspaceSituation seen, Optional<Restored> earlier) {
    OwnedRanges ranges = seen.ranges();
    if (ranges.all().isEmpty()) {
      return new Skip(seen.keyspace(), "the node keeps no range of it");
    }
    if (seen.tables() == 0) {
      return new Skip(seen.keyspace(), "it has no table");
    }
    if (ranges.withoutSource(Set.of()).size() == ranges.all().size()) {
      return new Skip(
          seen.keyspace(), "its replication factor is 1: no other node has a copy to recover from");
    }
    if (mode == RecoveryMode.REPLACE) {
      return restore(
          seen, RecoveryWay.REPLACE, "the node streamed its ranges while it joined", Set.of());
    }
    Optional<Restored> resumed = earlier.filter(restored -> goesOn(seen, restored));
    if (mode == RecoveryMode.REBUILD) {
      return rebuild(seen, "asked for", resumed);
    }
    if (mode == RecoveryMode.REPAIR) {
      return repair(seen, "asked for", resumed);
    }
    if (seen.held().isNone()) {
      return rebuild(seen, "the node has no data of it: nothing to compare", resumed);
    }
    if (resumed.filter(restored -> restored.way() == RecoveryWay.REBUILD).isPresent()) {
      return rebuild(seen, "a rebuild that was interrupted goes on", resumed);
    }
    return repair(
        seen,
        "the node has " + seen.held().total() + " bytes of it: only what differs is streamed",
        resumed);
  }

  private boolean goesOn(KeyspaceSituation seen, Restored restored) {
    boolean wipedSince = seen.held().isNone();
    boolean sameWay = mode == RecoveryMode.AUTO || mode.name().equals(restored.way().name());
    return sameWay && !wipedSince;
  }

  private KeyspaceDecision rebuild(
      KeyspaceSituation seen, String reason, Optional<Restored> resumed) {
    List<TokenRange> lost = seen.ranges().withoutSource(seen.unreachable());
    if (!lost.isEmpty()) {
      return new Refuse(
          seen.keyspace(),
          "no live node has a copy of "
              + lost.size()
              + " of its ranges, such as "
              + lost.get(0)
              + "; unreachable: "
              + new TreeSet<>(seen.unreachable()));
    }
    return restore(seen, RecoveryWay.REBUILD, reason, done(resumed, RecoveryWay.REBUILD));
  }

  private KeyspaceDecision repair(
      KeyspaceSituation seen, String reason, Optional<Restored> resumed) {
    Set<String> down = new TreeSet<>(seen.ranges().others());
    down.retainAll(seen.unreachable());
    if (!down.isEmpty()) {
      return new Refuse(
          seen.keyspace(),
          "a repair compares all replicas, and " + down + " do not answer; start them first");
    }
    return restore(seen, RecoveryWay.REPAIR, reason, done(resumed, RecoveryWay.REPAIR));
  }

  private static Set<TokenRange> done(Optional<Restored> resumed, RecoveryWay way) {
    return resumed.filter(restored -> restored.way() == way).map(Restored::ranges).orElse(Set.of());
  }

  private KeyspaceDecision restore(
      KeyspaceSituation seen, RecoveryWay way, String reason, Set<TokenRange> done) {
    List<TokenRange> primary = left(seen.ranges().primary(), done);
    List<TokenRange> redundant = left(seen.ranges().redundant(), done);
    int resumed = seen.ranges().all().size() - primary.size() - redundant.size();
    if (way == RecoveryWay.REPLACE || (primary.isEmpty() && redundant.isEmpty())) {
      return new Restore(seen.keyspace(), way, reason, seen.ranges(), List.of(), resumed);
    }
    boolean rebuild = way == RecoveryWay.REBUILD;
    boolean whole = rebuild && !seen.rebuildsRepeatedly();
    List<RecoveryStep> bySources =
        rebuild && !whole && seen.formatsByRole()
            ? RedundantSources.steps(seen.ranges(), seen.unreachable(), done)
            : List.of(new RecoveryStep(primary, redundant, Set.of()));
    String why = reason;
    if (whole) {
      why += "; in one step, as the node takes one rebuild of a keyspace only";
    } else if (bySources.stream().anyMatch(step -> !step.sources().isEmpty())) {
      why += "; from redundant copies where one is live";
    }
    List<RecoveryStep> steps = cut(bySources, whole ? 1 : parts(seen));
    return new Restore(seen.keyspace(), way, why, seen.ranges(), steps, resumed);
  }

  /** Each step into its share of the parts, one at least. */
  private static List<RecoveryStep> cut(List<RecoveryStep> bySources, int parts) {
    double ranges = bySources.stream().mapToInt(RecoveryStep::size).sum();
    return bySources.stream()
        .flatMap(
            step -> step.cut((int) Math.max(1, Math.round(parts * step.size() / ranges))).stream())
        .toList();
  }

  private int parts(KeyspaceSituation seen) {
    if (steps.isPresent()) {
      return steps.getAsInt();
    }
    HeldBytes held = seen.held();
    // of a table on an engine the others hold about as much as this node, unless it was wiped
    long own = held.isOnEngines() ? held.total() : 0;
    long known = Math.max(seen.bytesOfOthers().orElse(0), own);
    boolean isUnsized = seen.bytesOfOthers().isEmpty() || held.isOnEngines() && held.isNone();
    long bySize = Math.min(Math.floorDiv(known, STEP_BYTES) + 1, MOST_BY_SIZE);
    return (int) Math.max(bySize, isUnsized ? UNSIZED_STEPS : 1);
  }

  private static List<TokenRange> left(List<ReplicatedRange> ranges, Set<TokenRange> done) {
    return ranges.stream()
        .map(ReplicatedRange::range)
        .filter(range -> !done.contains(range))
        .toList();
  }
}

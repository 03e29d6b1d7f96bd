package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.BatchPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The compaction decision of a decoupled table: a pure function of its sstables. Has no state of
 * its own; thread-safe.
 *
 * <p>The order of work:
 *
 * <ol>
 *   <li>sstables in which every cell has expired are dropped whole: that costs nothing;
 *   <li>urgent work, where reads pay for each wait: a queue of flushed files at its limit, then
 *       groups with more runs than S;
 *   <li>the primary tree; after {@value #URGENT_BEFORE_TREE} urgent tasks it goes before urgent
 *       work once, so that merges that never end cannot starve it;
 *   <li>batches and splits that are merely due;
 *   <li>realignment of settled sstables that span groups, as a change of the ring leaves them;
 *   <li>purges, asked for apart ({@link #purges}), since estimates of tombstones cost more to make.
 * </ol>
 *
 * A small table has no groups to keep apart: {@link UndividedLog} plans for it.
 */
public final class Planner<K extends Comparable<? super K>> {
  /** Urgent tasks in a row, after which the primary tree has its turn. */
  public static final int URGENT_BEFORE_TREE = 3;

  /** Bytes of one realignment: half a minute at Cassandra's default compaction throughput. */
  private static final long MAX_REALIGN_BYTES = 2L << 30;

  /** Of the smallest run, what realignment must give each group to be due without a rest. */
  private static final double FILLING = 0.75;

  private final PlanOptions options;

  public Planner(PlanOptions options) {
    this.options = options;
  }

  /** Plans for a table that is divided, however small. */
  public Planner<K> divided() {
    return new Planner<>(options.divided());
  }

  /** Whether the table's log is undivided now. */
  public boolean isUndivided(TableState<K> state) {
    LogBytes log = LogBytes.NONE;
    for (PlannedFile<K> file : state.files()) {
      log = log.plus(file.role(), file.bytes());
    }
    return options.small().isUndivided(state.tableBytes(), log, state.groups().owned());
  }

  /** All that is due, but for purges. */
  public Plan plan(TableState<K> state) {
    List<PlannedFile<K>> live =
        state.files().stream().filter(file -> !file.state().expired()).toList();
    List<Duration> untilQuiet = new ArrayList<>();
    List<Decision> due = new ArrayList<>();
    if (isUndivided(state)) {
      addLogMerge(due, untilQuiet, live, state);
    } else {
      addBatches(due, untilQuiet, live, state);
      addMerges(due, live);
      addRealign(due, untilQuiet, live, state);
    }
    return new Plan(inOrder(expired(state), due, state.urgentInARow()), untilQuiet);
  }

  /** Rewrites for the sake of droppable tombstones, where nothing else is due. */
  public List<Decision> purges(TableState<K> state) {
    return isUndivided(state)
        ? List.of()
        : new Purges<K>(options.tombstoneThreshold()).of(state.files());
  }

  /**
   * What an operator's compaction rewrites, in this order: the sstables that span groups, then each
   * group with what the former has put there. A small table becomes one file.
   */
  public List<Decision> everything(TableState<K> state) {
    List<PlannedFile<K>> all =
        Files.free(state.files()).stream().filter(file -> file.role() != Role.FOREIGN).toList();
    List<PlannedFile<K>> wide =
        isUndivided(state) ? all : all.stream().filter(file -> !file.isAligned()).toList();
    List<Decision> found = new ArrayList<>();
    if (!wide.isEmpty()) {
      found.add(asked(wide));
    }
    if (!isUndivided(state)) {
      Files.byGroup(all, Role.PRIMARY).forEach(group -> found.add(asked(group)));
      Files.byGroup(all, Role.RUN).forEach(group -> found.add(asked(group)));
    }
    return found;
  }

  private static Decision asked(List<? extends PlannedFile<?>> files) {
    return new Decision(TaskKind.COMPACT, Reason.ASKED, Files.numbers(files));
  }

  private static List<Decision> inOrder(
      List<Decision> expired, List<Decision> due, int urgentInARow) {
    List<Decision> urgent = due.stream().filter(Decision::urgent).toList();
    boolean treeFirst = urgentInARow >= URGENT_BEFORE_TREE;
    List<Decision> order = new ArrayList<>(expired);
    if (treeFirst) {
      order.add(Decision.TREE);
    }
    order.addAll(urgent);
    if (!treeFirst) {
      order.add(Decision.TREE);
    }
    due.stream().filter(task -> !task.urgent()).forEach(order::add);
    return order;
  }

  /** Group by group: what overlaps the sstables of one group says nothing about another's. */
  private List<Decision> expired(TableState<K> state) {
    Map<Role, Map<Integer, List<PlannedFile<K>>>> byGroup =
        Files.free(state.files()).stream()
            .filter(file -> file.state().expired())
            .collect(
                Collectors.groupingBy(
                    PlannedFile::role,
                    TreeMap::new,
                    Collectors.groupingBy(PlannedFile::group, TreeMap::new, Collectors.toList())));
    return byGroup.values().stream()
        .flatMap(groups -> groups.values().stream())
        .map(files -> new Decision(TaskKind.EXPIRE, Reason.EXPIRED, Files.numbers(files)))
        .toList();
  }

  private void addLogMerge(
      List<Decision> due,
      List<Duration> untilQuiet,
      List<PlannedFile<K>> live,
      TableState<K> state) {
    List<PlannedFile<K>> log =
        Files.free(live).stream().filter(file -> file.role() != Role.FOREIGN).toList();
    BatchPolicy split = options.split();
    UndividedLog<K> undivided =
        new UndividedLog<>(
            split.idle(), split.maxFiles(), state.flushes().averageBytes(), state.nowMillis());
    undivided
        .due(log)
        .map(merge -> merge.urgent() ? divisionOr(merge, log, state) : merge)
        .ifPresent(due::add);
    undivided.untilQuiet(log).ifPresent(untilQuiet::add);
  }

  private Decision divisionOr(Decision merge, List<PlannedFile<K>> log, TableState<K> state) {
    List<PlannedFile<K>> wide = together(log.stream().filter(file -> !file.isAligned()).toList());
    return options.small().isFullLogDivided(Files.bytes(wide), state.groups().owned())
        ? new Decision(TaskKind.REALIGN, Reason.LIMIT, Files.numbers(wide), Set.of(), true)
        : merge;
  }

  /** Neighbours, within a task's bounds: their output is a few full groups, not slivers of many. */
  private List<PlannedFile<K>> together(List<PlannedFile<K>> files) {
    List<PlannedFile<K>> byFirst = new ArrayList<>(files);
    byFirst.sort(Comparator.comparing(PlannedFile::first));
    return Files.within(byFirst, options.split().maxFiles(), MAX_REALIGN_BYTES);
  }

  private void addBatches(
      List<Decision> due,
      List<Duration> untilQuiet,
      List<PlannedFile<K>> live,
      TableState<K> state) {
    Freshness freshness = freshness(state);
    List<BatchQueue<K>> queues =
        List.of(
            new BatchQueue<>(
                TaskKind.PRIMARY_BATCH,
                options.primaryBatch(),
                fresh(live, Role.WIDE_PRIMARY, freshness),
                settled(live, Role.PRIMARY, state.groups().primary())),
            new BatchQueue<>(
                TaskKind.SPLIT,
                options.split(),
                fresh(live, Role.SEGMENT, freshness),
                settled(live, Role.RUN, state.groups().redundant())));
    for (BatchQueue<K> queue : queues) {
      BatchDecision decision = queue.decide(state.nowMillis());
      if (decision instanceof BatchDecision.Rewrite rewrite) {
        due.add(queue.task(rewrite));
      } else if (decision instanceof BatchDecision.Wait wait) {
        wait.untilQuiet().ifPresent(untilQuiet::add);
      }
    }
  }

  private Freshness freshness(TableState<K> state) {
    return new Freshness(
        state.flushes().mostBytes(), options.split().minOutputBytes(), state.groups().here());
  }

  private static <K extends Comparable<? super K>> List<PlannedFile<K>> fresh(
      List<PlannedFile<K>> live, Role role, Freshness freshness) {
    return Files.free(live).stream()
        .filter(file -> file.role() == role && freshness.isFresh(file))
        .toList();
  }

  private static <K extends Comparable<? super K>> BatchQueue.Settled<K> settled(
      List<PlannedFile<K>> live, Role role, int groups) {
    return new BatchQueue.Settled<>(
        groups, Files.bytes(Files.withRole(live, role)), Files.byGroup(Files.free(live), role));
  }

  private void addMerges(List<Decision> due, List<PlannedFile<K>> live) {
    for (List<PlannedFile<K>> group : Files.byGroup(Files.free(live), Role.RUN)) {
      List<PlannedFile<K>> runs = Files.deepest(group);
      List<Integer> picked =
          options
              .runs()
              .apply(group.get(0).group())
              .pick(runs.stream().map(PlannedFile::bytes).toList());
      if (!picked.isEmpty()) {
        List<Integer> inputs = picked.stream().map(index -> runs.get(index).number()).toList();
        due.add(new Decision(TaskKind.MERGE, Reason.RUNS, inputs, Set.of(), true));
      }
    }
  }

  /**
   * Mixed sstables, and settled ones that span groups, wait for company like segments do, unless
   * they nearly fill a run for each group: else a table whose flushes cannot be split (vector
   * index) would be cut into slivers.
   */
  private void addRealign(
      List<Decision> due,
      List<Duration> untilQuiet,
      List<PlannedFile<K>> live,
      TableState<K> state) {
    Freshness freshness = freshness(state);
    List<PlannedFile<K>> waiting =
        Files.free(live).stream()
            .filter(file -> file.role() == Role.MIXED || freshness.isSettledWide(file))
            .toList();
    if (waiting.isEmpty()) {
      return;
    }
    BatchPolicy split = options.split();
    int groups = state.groups().here();
    // weighed against nothing: such content never stays in a quiet table
    BatchDecision decision =
        new BatchQueue<>(
                TaskKind.REALIGN, split, waiting, new BatchQueue.Settled<>(groups, 0, List.of()))
            .decide(state.nowMillis());
    boolean filling =
        (double) Files.bytes(waiting) / Math.max(1, groups) >= FILLING * split.minOutputBytes();
    if (filling || decision instanceof BatchDecision.Rewrite) {
      Reason reason =
          !filling && decision instanceof BatchDecision.Rewrite rewrite
              ? Reason.of(rewrite.reason())
              : Reason.SPANS_GROUPS;
      due.add(new Decision(TaskKind.REALIGN, reason, Files.numbers(together(waiting))));
    } else if (decision instanceof BatchDecision.Wait wait) {
      wait.untilQuiet().ifPresent(untilQuiet::add);
    }
  }
}

package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.PrimaryEngine;
import io.counterpart.cassandra.report.DecoupledTable;
import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.report.TableGauges;
import io.counterpart.cassandra.report.TableReport;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.ring.TableRing;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import io.counterpart.cassandra.writer.FlushWriters;
import io.counterpart.cassandra.writer.WriterSpec;
import io.counterpart.core.plan.Decision;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.plan.Plan;
import io.counterpart.core.plan.TaskKind;
import io.counterpart.core.ring.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleNewTracker;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.TimeUUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a node's primary copies in an LSM-tree and its redundant copies in a two-layer log. Set by
 * {@code ALTER TABLE … WITH compaction = {'class':
 * 'io.counterpart.cassandra.compaction.DecoupledCompactionStrategy'}}; options in {@link
 * DecoupledOptions}.
 *
 * <p>Cassandra makes an instance for each data directory, each repair status and each pending
 * repair session; each keeps its own log, and they share the ring. Thread-safe: every decision is
 * made under the instance's lock, every rewrite runs outside of it.
 *
 * <p>Paper: DEPART §4.
 */
public final class DecoupledCompactionStrategy extends AbstractCompactionStrategy
    implements DecoupledTable {
  /** More than any table has sstables to place. */
  private static final int MOST_PLACING_TURNS = 10_000;

  private final DecoupledOptions decoupled;
  private final Mode mode;
  private final TableRing tableRing;
  private final Trees trees;
  private final Catalog catalog;
  private final TablePlanner planner;
  private final Rewrites rewrites;
  private final ExpiredSSTables expired;
  private final TableCounters counters;
  private final FlushWriters flushWriters;
  private final Reporter reporter;
  private final QuietTimer quietTimer;
  private int urgentInARow;

  /** Called by Cassandra. */
  public DecoupledCompactionStrategy(ColumnFamilyStore cfs, Map<String, String> options) {
    super(cfs, options);
    this.decoupled = DecoupledOptions.parse(options);
    // a legacy index table inherits the strategy, and holds local data only
    this.mode = cfs.isIndex() ? Mode.UNIFORM : decoupled.mode();
    this.tableRing = new TableRing(cfs, decoupled.maxRangeGroups());
    this.trees = new Trees(cfs, decoupled);
    this.catalog =
        new Catalog(new TableLayout(decoupled, mode), trees, new LiveSSTables(cfs), this);
    this.planner = new TablePlanner(cfs, decoupled, catalog, tombstoneThreshold);
    this.expired = new ExpiredSSTables(cfs);
    this.counters = new TableCounters(cfs);
    this.flushWriters = new FlushWriters(cfs, decoupled, counters);
    this.rewrites = new Rewrites(cfs, decoupled, counters);
    this.reporter = new Reporter(cfs, decoupled, mode, counters);
    this.quietTimer = new QuietTimer(cfs);
    DroppedTables.watch();
    CounterpartKeyspace.register();
    if (!cfs.isIndex()) {
      TableGauges.register(cfs.getKeyspaceName(), cfs.getTableName());
    }
  }

  /**
   * Called by Cassandra at DDL.
   *
   * @return options not understood: the thresholds of other strategies, which Cassandra asks about
   *     alone before it shows us the table's own; all others are reported with their legal range
   * @throws ConfigurationException naming the option, its value and the legal range
   */
  public static Map<String, String> validateOptions(Map<String, String> options)
      throws ConfigurationException {
    Map<String, String> notUnderstood = new HashMap<>(options);
    notUnderstood.keySet().retainAll(DecoupledOptions.THRESHOLDS);
    if (notUnderstood.isEmpty()) {
      DecoupledOptions.parse(options);
    }
    return notUnderstood;
  }

  @Override
  public synchronized void startup() {
    super.startup();
    trees.startup();
    catalog.start();
  }

  @Override
  public synchronized void shutdown() {
    super.shutdown();
    quietTimer.cancel();
    catalog.close();
    trees.shutdown();
  }

  @Override
  public synchronized void pause() {
    super.pause();
    trees.setActive(false);
  }

  @Override
  public synchronized void resume() {
    super.resume();
    trees.setActive(true);
  }

  @Override
  public @Nullable AbstractCompactionTask getNextBackgroundTask(long gcBefore) {
    noticeRing();
    return next(gcBefore);
  }

  private synchronized @Nullable AbstractCompactionTask next(long gcBefore) {
    RingSnapshot ring = refresh();
    if (catalog.isIncomplete()) {
      return null;
    }
    if (ring == null) {
      return mode == Mode.UNIFORM ? trees.next(gcBefore) : null;
    }
    Set<SSTableReader> gone = expired.check(catalog, planner.free(), gcBefore);
    PlanningView view = view(ring, gone);
    Rewrites.Moment moment = new Rewrites.Moment(ring, gcBefore);
    Plan plan = view.plan();
    for (Decision decision : plan.inOrder()) {
      boolean tree = decision.kind() == TaskKind.TREE;
      AbstractCompactionTask task =
          tree ? trees.next(gcBefore) : rewrites.begin(decision, view, moment);
      if (task != null) {
        urgentInARow = decision.urgent() ? urgentInARow + 1 : 0;
        return task;
      }
      // an idle tree has had its turn
      urgentInARow = tree ? 0 : urgentInARow;
    }
    AbstractCompactionTask purge = nextPurge(moment);
    if (purge == null) {
      plan.untilQuiet().stream().min(Duration::compareTo).ifPresent(quietTimer::wakeAfter);
    }
    return purge;
  }

  private PlanningView view(RingSnapshot ring, Set<SSTableReader> gone) {
    return planner.view(
        ring, urgentInARow, sstable -> gone.contains(sstable) ? FileState.EXPIRED : FileState.FREE);
  }

  private @Nullable AbstractCompactionTask nextPurge(Rewrites.Moment moment) {
    if (disableTombstoneCompactions || cfs.getNeverPurgeTombstones()) {
      return null;
    }
    PlanningView view =
        planner.view(
            moment.ring(),
            urgentInARow,
            sstable -> isRun(sstable) ? droppableIn(sstable, moment.gcBefore()) : FileState.FREE);
    for (Decision purge : view.purges()) {
      AbstractCompactionTask task = rewrites.begin(purge, view, moment);
      if (task != null) {
        return task;
      }
    }
    return null;
  }

  private boolean isRun(SSTableReader sstable) {
    Placed where = catalog.placed(sstable);
    return where != null && where.role() == Role.RUN;
  }

  private FileState droppableIn(SSTableReader sstable, long gcBefore) {
    long writtenBefore =
        Clock.Global.currentTimeMillis() - TimeUnit.SECONDS.toMillis(tombstoneCompactionInterval);
    boolean purgeable =
        sstable.getDataCreationTime() < writtenBefore
            && (sstable.isRepaired()
                || !Boolean.parseBoolean(options.get(ONLY_PURGE_REPAIRED_TOMBSTONES)));
    double share = purgeable ? sstable.getEstimatedDroppableTombstoneRatio(gcBefore) : 0;
    return share > tombstoneThreshold
        ? new FileState(
            false, false, Math.min(1, share), worthDroppingTombstones(sstable, gcBefore))
        : new FileState(false, false, Math.max(0, share), false);
  }

  @Override
  public Collection<AbstractCompactionTask> getMaximalTask(long gcBefore, boolean splitOutput) {
    // a flush comes right before: what it wrote is to be compacted too
    placeSome();
    return maximal(gcBefore, splitOutput);
  }

  private synchronized Collection<AbstractCompactionTask> maximal(
      long gcBefore, boolean splitOutput) {
    RingSnapshot ring = refresh();
    if (ring == null || mode != Mode.DECOUPLED) {
      List<AbstractCompactionTask> tasks = new ArrayList<>();
      for (AbstractCompactionStrategy tree : trees.all()) {
        Collection<AbstractCompactionTask> ofTree = tree.getMaximalTask(gcBefore, splitOutput);
        if (ofTree != null) {
          tasks.addAll(ofTree);
        }
      }
      return tasks;
    }
    PlanningView view = view(ring, Set.of());
    List<AbstractCompactionTask> tasks = new ArrayList<>();
    for (Decision step : view.everything()) {
      PlannedTask task = rewrites.begin(step, view, new Rewrites.Moment(ring, gcBefore));
      if (task != null && view.isWide(step) && !view.isUndivided()) {
        // the groups' turn comes when these have been cut
        Set<Placed> done = new HashSet<>();
        return List.of(new CompactAllTask(cfs, task, () -> nextGroup(done, gcBefore)));
      }
      if (task != null) {
        tasks.add(task);
      }
    }
    return tasks;
  }

  /** The next group of an operator's compaction, whole, with what the step before has written. */
  private @Nullable AbstractCompactionTask nextGroup(Set<Placed> done, long gcBefore) {
    for (int turn = 0; turn < MOST_PLACING_TURNS && catalog.isPlacing(); turn++) {
      placeSome();
    }
    return nextPlacedGroup(done, gcBefore);
  }

  private synchronized @Nullable AbstractCompactionTask nextPlacedGroup(
      Set<Placed> done, long gcBefore) {
    RingSnapshot ring = refresh();
    if (ring == null) {
      return null;
    }
    PlanningView view = view(ring, Set.of());
    for (Decision step : view.everything()) {
      Placed where = catalog.placed(view.inputs(step).get(0));
      if (!view.isWide(step) && where != null && done.add(where)) {
        PlannedTask task = rewrites.begin(step, view, new Rewrites.Moment(ring, gcBefore));
        // who pauses compaction (truncation, cleanup, ALTER) first says so, then looks for what is
        // marked: marked first and asked afterwards, this step is seen by one of the two
        if (task != null && !cfs.getCompactionStrategyManager().isActive()) {
          task.transaction().close();
          return null;
        }
        if (task != null) {
          return task;
        }
      }
    }
    return null;
  }

  @Override
  public synchronized @Nullable AbstractCompactionTask getUserDefinedTask(
      Collection<SSTableReader> sstables, long gcBefore) {
    RingSnapshot ring = refresh();
    LifecycleTransaction txn = cfs.getTracker().tryModify(sstables, OperationType.COMPACTION);
    if (txn == null) {
      return null;
    }
    boolean aligned =
        sstables.stream().map(catalog::placed).allMatch(at -> at != null && at.group() >= 0);
    AbstractCompactionTask task =
        ring == null || mode != Mode.DECOUPLED || (aligned && sstables.size() == 1)
            ? getCompactionTask(txn, gcBefore, Long.MAX_VALUE)
            : rewrites.together(
                txn, new Rewrites.Moment(ring, gcBefore), planner.isUndivided(ring, 0));
    return task.setUserDefined(true);
  }

  /**
   * One sstable is rewritten for its format, compression or place: its content, role and level stay
   * as they are. Several are to become one, group by group.
   */
  @Override
  public synchronized AbstractCompactionTask getCompactionTask(
      LifecycleTransaction txn, long gcBefore, long maxSSTableBytes) {
    RingSnapshot ring = refresh();
    if (mode == Mode.UNIFORM) {
      return trees.tree(0).getCompactionTask(txn, gcBefore, maxSSTableBytes);
    }
    if (txn.originals().size() == 1) {
      Integer tree = trees.idOf(txn.originals().iterator().next());
      // a unified tree keeps no levels, and might cut the sstable at its shards
      return tree != null && decoupled.engine() == PrimaryEngine.LCS
          ? trees.tree(tree).getCompactionTask(txn, gcBefore, maxSSTableBytes)
          : rewrites.inPlace(txn, gcBefore);
    }
    return ring != null && mode == Mode.DECOUPLED
        ? rewrites.together(txn, new Rewrites.Moment(ring, gcBefore), planner.isUndivided(ring, 0))
        : new CompactionTask(cfs, txn, gcBefore);
  }

  /** What is due, and what will be as soon as the table is quiet. */
  @Override
  public synchronized int getEstimatedRemainingTasks() {
    Plan plan = plan(refresh());
    return plan.dueTasks()
        + plan.untilQuiet().size()
        + trees.remainingTasks()
        + (catalog.isPlacing() ? 1 : 0);
  }

  private Plan plan(@Nullable RingSnapshot ring) {
    return ring == null || catalog.isIncomplete()
        ? Plan.TREE_ALONE
        : view(ring, expired.known()).plan();
  }

  @Override
  public long getMaxSSTableBytes() {
    return decoupled.sstableBytes();
  }

  @Override
  public void addSSTable(SSTableReader added) {
    replaceSSTables(List.of(), List.of(added));
  }

  @Override
  public synchronized void removeSSTable(SSTableReader sstable) {
    catalog.remove(sstable);
  }

  /** At once, since a leveled tree learns from it which part of a level was compacted last. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a ring is computed without the lock
  public void replaceSSTables(Collection<SSTableReader> removed, Collection<SSTableReader> added) {
    noticeRing();
    synchronized (this) {
      catalog.replace(removed, added);
      refresh();
    }
  }

  @Override
  public synchronized void metadataChanged(StatsMetadata oldMetadata, SSTableReader sstable) {
    trees.metadataChanged(oldMetadata, sstable);
  }

  @Override
  protected synchronized Set<SSTableReader> getSSTables() {
    return catalog.all();
  }

  /** Pairs of sstables of the same group or kind: a mixed pair would have to be split again. */
  @Override
  public synchronized Collection<Collection<SSTableReader>> groupSSTablesForAntiCompaction(
      Collection<SSTableReader> sstablesToGroup) {
    Map<Object, List<SSTableReader>> alike = new LinkedHashMap<>();
    for (SSTableReader sstable : sstablesToGroup) {
      Placed where = catalog.placed(sstable);
      alike
          .computeIfAbsent(where == null ? "unplaced" : where, k -> new ArrayList<>())
          .add(sstable);
    }
    Collection<Collection<SSTableReader>> groups = new ArrayList<>();
    alike.values().forEach(set -> groups.addAll(super.groupSSTablesForAntiCompaction(set)));
    return groups;
  }

  @Override
  public SSTableMultiWriter createSSTableMultiWriter(
      Descriptor descriptor,
      long keyCount,
      long repairedAt,
      TimeUUID pendingRepair,
      boolean isTransient,
      IntervalSet<CommitLogPosition> commitLogPositions,
      int sstableLevel,
      SerializationHeader header,
      Collection<Index.Group> indexGroups,
      LifecycleNewTracker lifecycleNewTracker) {
    RingSnapshot ring = noticeRing();
    if (mode == Mode.UNIFORM) {
      return onlyTree()
          .createSSTableMultiWriter(
              descriptor,
              keyCount,
              repairedAt,
              pendingRepair,
              isTransient,
              commitLogPositions,
              sstableLevel,
              header,
              indexGroups,
              lifecycleNewTracker);
    }
    // an index that needs one sstable a flush (SAI vectors) gets one: it is split in the background
    boolean splittable = indexGroups.stream().allMatch(Index.Group::supportsL0Shards);
    if (ring == null || !splittable) {
      return super.createSSTableMultiWriter(
          descriptor,
          keyCount,
          repairedAt,
          pendingRepair,
          isTransient,
          commitLogPositions,
          sstableLevel,
          header,
          indexGroups,
          lifecycleNewTracker);
    }
    WriterSpec spec =
        new WriterSpec(
            cfs,
            descriptor,
            keyCount,
            repairedAt,
            pendingRepair,
            isTransient,
            commitLogPositions,
            sstableLevel,
            header,
            indexGroups,
            lifecycleNewTracker);
    return flushWriters.open(
        spec, ring, planner.isUndivided(ring, comingBytes(commitLogPositions)));
  }

  private synchronized AbstractCompactionStrategy onlyTree() {
    return trees.tree(0);
  }

  /** Of a flush, what the memtables hold; of a stream it is not known. */
  private long comingBytes(@Nullable IntervalSet<CommitLogPosition> flushed) {
    long bytes = 0;
    if (flushed != null) {
      for (Memtable memtable : cfs.getTracker().getView().flushingMemtables) {
        bytes += memtable.getLiveDataSize();
      }
    }
    return bytes;
  }

  @Override
  public TableReport report() {
    placeSome();
    synchronized (this) {
      RingSnapshot ring = refresh();
      int backlog = plan(ring).dueTasks() + trees.remainingTasks();
      return reporter.report(catalog, ring, backlog + (catalog.isPlacing() ? 1 : 0));
    }
  }

  /**
   * Has the snapshot computed if the ring changed. Without the lock: flushes wait for the lock, and
   * need the snapshot alone.
   */
  private @Nullable RingSnapshot noticeRing() {
    return mode == Mode.UNIFORM ? null : tableRing.current();
  }

  /** Places a few waiting sstables by the newest snapshot, in this thread. */
  private void placeSome() {
    noticeRing();
    synchronized (this) {
      refresh();
    }
    catalog.placeSome();
  }

  /** Has the sstables placed by the newest snapshot; returns the one by which they are now. */
  private @Nullable RingSnapshot refresh() {
    catalog.useRing(mode == Mode.UNIFORM ? null : tableRing.latest());
    return catalog.ring();
  }
}

package io.counterpart.cassandra.compaction;

import static java.util.stream.Collectors.groupingBy;

import com.google.common.collect.ImmutableList;
import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.cassandra.format.FormatNotice;
import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.StoreMemtables;
import io.counterpart.cassandra.report.DecoupledTable;
import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.report.TableGauges;
import io.counterpart.cassandra.report.TableReport;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.ring.TableRing;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import io.counterpart.cassandra.writer.FlushWriters;
import io.counterpart.cassandra.writer.WriterSpec;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.plan.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.lifecycle.LifecycleNewTracker;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
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
  private final DecoupledOptions decoupled;
  private final Mode mode;
  private final RingWatch ring;
  private final Trees trees;
  private final LiveSSTables sstables;
  private final Catalog catalog;
  private final TablePlanner planner;
  private final BackgroundTasks background;
  private final OperatorTasks operator;
  private final FlushWriters flushWriters;
  private final Reporter reporter;
  private final FormatNotice formatNotice;

  /** Called by Cassandra. */
  public DecoupledCompactionStrategy(ColumnFamilyStore cfs, Map<String, String> options) {
    super(cfs, options);
    this.decoupled = DecoupledOptions.parse(options);
    // a legacy index table inherits the strategy, and holds local data only
    this.mode = cfs.isIndex() ? Mode.UNIFORM : decoupled.mode();
    TableLayout layout = new TableLayout(decoupled, mode);
    TableCounters counters = new TableCounters(cfs);
    this.trees = new Trees(cfs, decoupled);
    this.sstables = new LiveSSTables(cfs);
    this.catalog = new Catalog(layout, trees, sstables, this);
    this.ring = new RingWatch(new TableRing(cfs, decoupled.maxRangeGroups()), mode, catalog, this);
    this.flushWriters = new FlushWriters(cfs, decoupled, counters);
    this.planner =
        new TablePlanner(cfs, decoupled, catalog, flushWriters.recent(), tombstoneThreshold);
    ExpiredSSTables expired = ExpiredSSTables.of(cfs, catalog, planner);
    Rewrites rewrites = new Rewrites(cfs, decoupled, counters, expired);
    BackgroundTasks.Parts parts = new BackgroundTasks.Parts(catalog, trees, planner, rewrites);
    this.background =
        new BackgroundTasks(
            parts, expired, new QuietTimer(cfs), new Tombstones(), Clock.Global::currentTimeMillis);
    this.operator = new OperatorTasks(cfs, layout, parts, ring, this);
    this.reporter = new Reporter(cfs, decoupled, mode, counters);
    this.formatNotice =
        new FormatNotice(
            cfs.getKeyspaceName() + "." + cfs.getTableName(),
            // a tree for all copies has the table's format
            mode == Mode.DECOUPLED ? decoupled.redundantFormat() : CopyFormat.TABLE);
    formatNotice.look(cfs.metadata().params);
    DroppedTables.watch();
    CounterpartKeyspace.register();
    if (!cfs.isIndex()) {
      StoreMemtables.warnWhereMissing(cfs, decoupled);
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
    // flushes of what the commit log holds come before compaction does
    catalog.start(planner::measure);
  }

  @Override
  public synchronized void shutdown() {
    super.shutdown();
    background.close();
    operator.close();
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
    sstables.asked();
    ring.newest();
    formatNotice.look(cfs.metadata().params);
    return next(gcBefore);
  }

  private synchronized @Nullable AbstractCompactionTask next(long gcBefore) {
    RingSnapshot snapshot = ring.inForce();
    if (catalog.isIncomplete()) {
      return null;
    }
    if (snapshot == null) {
      return mode == Mode.UNIFORM ? trees.next(gcBefore) : null;
    }
    return background.next(snapshot, gcBefore);
  }

  /** By Cassandra's own estimates, as far as the table's options allow. */
  private final class Tombstones implements BackgroundTasks.Purging {
    @Override
    public boolean isEnabled() {
      return !disableTombstoneCompactions && !cfs.getNeverPurgeTombstones();
    }

    @Override
    public FileState droppable(SSTableReader run, Rewrites.Moment moment) {
      long writtenBefore =
          moment.nowMillis() - TimeUnit.SECONDS.toMillis(tombstoneCompactionInterval);
      boolean purgeable =
          catalog.createdMillis(run) < writtenBefore
              && (run.isRepaired()
                  || !Boolean.parseBoolean(options.get(ONLY_PURGE_REPAIRED_TOMBSTONES)));
      double share = purgeable ? run.getEstimatedDroppableTombstoneRatio(moment.gcBefore()) : 0;
      return share > tombstoneThreshold
          ? new FileState(
              false, false, Math.min(1, share), worthDroppingTombstones(run, moment.gcBefore()))
          : new FileState(false, false, Math.max(0, share), false);
    }
  }

  @Override
  public Collection<AbstractCompactionTask> getMaximalTask(long gcBefore, boolean splitOutput) {
    return operator.everything(gcBefore, splitOutput);
  }

  @Override
  public @Nullable AbstractCompactionTask getUserDefinedTask(
      Collection<SSTableReader> sstables, long gcBefore) {
    AbstractCompactionTask task = operator.of(sstables, gcBefore);
    return task == null ? null : task.setUserDefined(true);
  }

  /** For the commands that rewrite sstables one by one. */
  @Override
  public AbstractCompactionTask getCompactionTask(
      LifecycleTransaction txn, long gcBefore, long maxSSTableBytes) {
    return operator.of(txn, gcBefore, maxSSTableBytes);
  }

  /** What is due, and what will be as soon as the table is quiet. */
  @Override
  public synchronized int getEstimatedRemainingTasks() {
    Plan plan = plan(ring.inForce());
    return plan.dueTasks() + plan.untilQuiet().size() + catalog.remainingTasks();
  }

  private Plan plan(@Nullable RingSnapshot snapshot) {
    return snapshot == null || catalog.isIncomplete() ? Plan.TREE_ALONE : background.plan(snapshot);
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
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // as replaceSSTables
  public void addSSTables(Iterable<SSTableReader> added) {
    replaceSSTables(List.of(), ImmutableList.copyOf(added));
  }

  @Override
  public synchronized void removeSSTable(SSTableReader sstable) {
    catalog.remove(sstable);
  }

  /** At once, since a leveled tree learns from it which part of a level was compacted last. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a ring is computed without the lock
  public void replaceSSTables(Collection<SSTableReader> removed, Collection<SSTableReader> added) {
    ring.newest();
    catalog.learn(added);
    synchronized (this) {
      catalog.replace(removed, added);
      ring.inForce();
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
    Map<?, List<SSTableReader>> alike =
        sstablesToGroup.stream()
            .collect(
                groupingBy(
                    // of two levels Cassandra would make level 0
                    s -> List.of(Optional.ofNullable(catalog.placed(s)), s.getSSTableLevel())));
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
    RingSnapshot snapshot = ring.newest();
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
    if (snapshot == null || !splittable) {
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
        spec, snapshot, comingBytes -> planner.isUndivided(snapshot, comingBytes));
  }

  private synchronized AbstractCompactionStrategy onlyTree() {
    return trees.tree(0);
  }

  OperatorTasks operator() {
    return operator;
  }

  @Override
  public TableReport report() {
    ring.placeSome();
    synchronized (this) {
      RingSnapshot snapshot = ring.inForce();
      int backlog = plan(snapshot).dueTasks() + catalog.remainingTasks();
      return reporter.report(catalog, snapshot, backlog);
    }
  }
}

package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.PrimaryEngine;
import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.plan.Decision;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.CompactionTasks;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Clock;
import org.jspecify.annotations.Nullable;

/** The work that operators ask for. Called without the strategy's lock, which it takes. */
final class OperatorTasks {
  /** Stands for all that spans groups. */
  private static final Placed WIDE = new Placed(Role.MIXED, Placed.NO_GROUP, -1);

  private final ColumnFamilyStore cfs;
  private final TableLayout layout;
  private final BackgroundTasks.Parts parts;
  private final RingWatch ring;
  private final Object lock;
  private boolean closed;

  /** A group of one state of the ring, or {@link #WIDE}: another state has other groups. */
  private record Group(RingSnapshot ring, Placed where) {}

  /**
   * @param lock the strategy's
   */
  OperatorTasks(
      ColumnFamilyStore cfs,
      TableLayout layout,
      BackgroundTasks.Parts parts,
      RingWatch ring,
      Object lock) {
    this.cfs = cfs;
    this.layout = layout;
    this.parts = parts;
    this.ring = ring;
    this.lock = lock;
  }

  /** Ends the steps that are still to come: another instance has the sstables. */
  void close() {
    synchronized (lock) {
      closed = true;
    }
  }

  /** All of the table: what spans groups first, then each group. */
  Collection<AbstractCompactionTask> everything(long gcBefore, boolean splitOutput) {
    // a flush comes right before: what it wrote is to be compacted too
    ring.placeSome();
    synchronized (lock) {
      RingSnapshot snapshot = ring.inForce();
      return snapshot == null || layout.mode() != Mode.DECOUPLED
          ? ofTrees(gcBefore, splitOutput)
          : ofLog(moment(snapshot, gcBefore));
    }
  }

  private Collection<AbstractCompactionTask> ofTrees(long gcBefore, boolean splitOutput) {
    List<AbstractCompactionTask> tasks = new ArrayList<>();
    try {
      for (AbstractCompactionStrategy tree : parts.trees().all()) {
        Collection<AbstractCompactionTask> ofTree = tree.getMaximalTask(gcBefore, splitOutput);
        if (ofTree != null) {
          tasks.addAll(ofTree);
        }
      }
    } catch (RuntimeException | Error failure) {
      CompactionTasks.create(tasks).close();
      throw failure;
    }
    return tasks;
  }

  private Collection<AbstractCompactionTask> ofLog(Rewrites.Moment moment) {
    PlanningView view = view(moment);
    List<PlannedTask> tasks = new ArrayList<>();
    try {
      for (Decision step : view.everything()) {
        PlannedTask task = parts.rewrites().begin(step, view, moment);
        boolean first = view.isWide(step) || parts.catalog().isPlacing();
        if (task != null && first && !view.isUndivided()) {
          // the groups' turn comes when these have been cut, and when all have their places
          return List.of(new CompactAllTask(cfs, task, groupByGroup(moment.gcBefore())));
        }
        if (task != null) {
          tasks.add(task);
        }
      }
    } catch (RuntimeException | Error failure) {
      tasks.forEach(task -> task.transaction().close());
      throw failure;
    }
    return List.copyOf(tasks);
  }

  /**
   * Makes the task of the next group each time that it is asked; null after the last. What spans
   * groups is taken for cut by the ring in force, unless some of it waits for its place; of each
   * later ring it is cut once. It throws {@link CompactionInterruptedException} where groups are
   * left that it must not begin.
   */
  Supplier<@Nullable AbstractCompactionTask> groupByGroup(long gcBefore) {
    Set<Group> done = new HashSet<>();
    @Nullable RingSnapshot cut;
    synchronized (lock) {
      cut = parts.catalog().isPlacing() ? null : parts.catalog().ring();
    }
    return () -> nextGroup(done, cut, gcBefore);
  }

  /** The next group, whole, with what the step before has written. */
  private @Nullable AbstractCompactionTask nextGroup(
      Set<Group> done, @Nullable RingSnapshot cut, long gcBefore) {
    ring.placeAll();
    synchronized (lock) {
      RingSnapshot snapshot = ring.inForce();
      if (snapshot == null || closed) {
        throw interrupted(done, "another instance of its strategy has the rest");
      }
      return nextGroup(done, cut, moment(snapshot, gcBefore));
    }
  }

  private @Nullable AbstractCompactionTask nextGroup(
      Set<Group> done, @Nullable RingSnapshot cut, Rewrites.Moment moment) {
    // a table that the steps so far have made small goes on in groups: as one file it would be
    // compacted anew, or what is left of it not at all
    PlanningView view = view(moment).divided();
    for (Decision step : view.everything()) {
      boolean wide = view.isWide(step);
      Placed where = wide ? WIDE : parts.catalog().placed(view.inputs(step).get(0));
      Group group = where == null ? null : new Group(moment.ring(), where);
      boolean isCut = wide && moment.ring() == cut;
      if (!isCut && group != null && !done.contains(group)) {
        PlannedTask task = parts.rewrites().begin(step, view, moment);
        // who pauses compaction (truncation, cleanup, ALTER) first says so, then looks for what is
        // marked: marked first and asked afterwards, this step is seen by one of the two
        if (task != null && !cfs.getCompactionStrategyManager().isActive()) {
          task.transaction().close();
          throw interrupted(done, "its compactions are paused");
        }
        if (task != null) {
          done.add(group);
          return task;
        }
      }
    }
    return null;
  }

  /** As of a step that is stopped: an end without a word would look as if all were done. */
  private CompactionInterruptedException interrupted(Set<Group> done, String why) {
    long groups = done.stream().filter(each -> !each.where().equals(WIDE)).count();
    return new CompactionInterruptedException(
        "all of %s.%s; groups done: %d; %s"
            .formatted(cfs.getKeyspaceName(), cfs.getTableName(), groups, why));
  }

  /** What a user-defined compaction names; null where another task has some of it. */
  @Nullable AbstractCompactionTask of(Collection<SSTableReader> sstables, long gcBefore) {
    synchronized (lock) {
      RingSnapshot snapshot = ring.inForce();
      LifecycleTransaction txn = cfs.getTracker().tryModify(sstables, OperationType.COMPACTION);
      return txn == null
          ? null
          : Rewrites.orClose(
              txn,
              () ->
                  snapshot == null || layout.mode() != Mode.DECOUPLED || isOneAligned(sstables)
                      ? of(txn, gcBefore, Long.MAX_VALUE)
                      : together(txn, moment(snapshot, gcBefore)));
    }
  }

  private boolean isOneAligned(Collection<SSTableReader> sstables) {
    return sstables.size() == 1
        && sstables.stream()
            .map(parts.catalog()::placed)
            .allMatch(where -> where != null && where.group() >= 0);
  }

  /**
   * One sstable is rewritten for its format, compression or place: its content, role and level stay
   * as they are. Several are to become one, group by group.
   */
  AbstractCompactionTask of(LifecycleTransaction txn, long gcBefore, long maxSSTableBytes) {
    synchronized (lock) {
      RingSnapshot snapshot = ring.inForce();
      if (layout.mode() == Mode.UNIFORM) {
        return parts.trees().tree(0).getCompactionTask(txn, gcBefore, maxSSTableBytes);
      }
      if (txn.originals().size() == 1) {
        SSTableReader sstable = txn.originals().iterator().next();
        Integer tree = parts.trees().idOf(sstable);
        // a unified tree keeps no levels, and might cut the sstable at its shards
        return tree != null && layout.options().engine() == PrimaryEngine.LCS
            ? parts.trees().tree(tree).getCompactionTask(txn, gcBefore, maxSSTableBytes)
            : parts.rewrites().inPlace(txn, gcBefore, role(sstable));
      }
      return snapshot != null && layout.mode() == Mode.DECOUPLED
          ? together(txn, moment(snapshot, gcBefore))
          : new CompactionTask(cfs, txn, gcBefore);
    }
  }

  private Role role(SSTableReader sstable) {
    Placed where = parts.catalog().placed(sstable);
    return where == null ? Role.MIXED : where.role();
  }

  private PlannedTask together(LifecycleTransaction txn, Rewrites.Moment moment) {
    boolean undivided = parts.planner().isUndivided(moment.ring(), 0);
    return parts.rewrites().together(txn, moment, undivided);
  }

  private PlanningView view(Rewrites.Moment moment) {
    return parts.planner().view(moment, 0, sstable -> FileState.FREE);
  }

  private static Rewrites.Moment moment(RingSnapshot ring, long gcBefore) {
    return new Rewrites.Moment(ring, gcBefore, Clock.Global.currentTimeMillis());
  }
}

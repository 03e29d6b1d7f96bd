package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.ring.Placed;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.plan.Decision;
import io.counterpart.core.plan.FileState;
import io.counterpart.core.plan.Plan;
import io.counterpart.core.plan.TaskKind;
import io.counterpart.core.plan.TreeTurn;
import io.counterpart.core.ring.Role;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;

/**
 * The work that a table has by itself: asks for the plan, and makes the first task of it that no
 * other task is in the way of. Not thread-safe: guarded by the strategy's lock.
 */
final class BackgroundTasks {
  private final Parts parts;
  private final ExpiredSSTables expired;
  private final QuietTimer quietTimer;
  private final Purging purging;
  private final LongSupplier clockMillis;
  private final TreeTurn turn = new TreeTurn();

  /** What decides and what acts, of one strategy instance. */
  record Parts(Catalog catalog, Trees trees, TablePlanner planner, Rewrites rewrites) {}

  /** Whether runs are rewritten for their tombstones, and what would go. */
  interface Purging {
    boolean isEnabled();

    /** The state of a free run as far as its tombstones go. */
    FileState droppable(SSTableReader run, Rewrites.Moment moment);
  }

  /**
   * @param clockMillis since the epoch
   */
  BackgroundTasks(
      Parts parts,
      ExpiredSSTables expired,
      QuietTimer quietTimer,
      Purging purging,
      LongSupplier clockMillis) {
    this.parts = parts;
    this.expired = expired;
    this.quietTimer = quietTimer;
    this.purging = purging;
    this.clockMillis = clockMillis;
  }

  /** The next task; null where nothing is due, and a timer is set for what will be. */
  @Nullable AbstractCompactionTask next(RingSnapshot ring, long gcBefore) {
    Rewrites.Moment moment = new Rewrites.Moment(ring, gcBefore, clockMillis.getAsLong());
    PlanningView view = view(moment, expired.at(moment.nowMillis(), gcBefore));
    Plan plan = view.plan();
    for (Decision decision : plan.inOrder()) {
      boolean tree = decision.kind() == TaskKind.TREE;
      AbstractCompactionTask task =
          tree ? parts.trees().next(gcBefore) : parts.rewrites().begin(decision, view, moment);
      if (task != null) {
        turn.begin(decision);
        return task;
      }
      if (tree && !parts.trees().isCutShort()) {
        turn.idle();
      }
    }
    AbstractCompactionTask purge = nextPurge(moment);
    if (purge == null && parts.trees().isCutShort()) {
      quietTimer.wakeAfter(Duration.ZERO);
    } else if (purge == null) {
      plan.untilQuiet().stream().min(Duration::compareTo).ifPresent(quietTimer::wakeAfter);
    }
    return purge;
  }

  /** What is due now, by the expired sstables that are known. */
  Plan plan(RingSnapshot ring) {
    Rewrites.Moment moment = new Rewrites.Moment(ring, 0, clockMillis.getAsLong());
    return view(moment, expired.known()).plan();
  }

  void close() {
    quietTimer.cancel();
  }

  private PlanningView view(Rewrites.Moment moment, Set<SSTableReader> gone) {
    return parts
        .planner()
        .view(
            moment,
            turn.urgentInARow(),
            sstable -> gone.contains(sstable) ? FileState.EXPIRED : FileState.FREE);
  }

  private @Nullable AbstractCompactionTask nextPurge(Rewrites.Moment moment) {
    if (!purging.isEnabled()) {
      return null;
    }
    PlanningView view =
        parts
            .planner()
            .view(
                moment,
                turn.urgentInARow(),
                sstable -> isRun(sstable) ? purging.droppable(sstable, moment) : FileState.FREE);
    for (Decision purge : view.purges()) {
      AbstractCompactionTask task = parts.rewrites().begin(purge, view, moment);
      if (task != null) {
        return task;
      }
    }
    return null;
  }

  private boolean isRun(SSTableReader sstable) {
    Placed where = parts.catalog().placed(sstable);
    return where != null && where.role() == Role.RUN;
  }
}

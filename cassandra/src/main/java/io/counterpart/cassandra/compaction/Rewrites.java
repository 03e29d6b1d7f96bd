package io.counterpart.cassandra.compaction;

import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.cassandra.format.InPlaceWriter;
import io.counterpart.cassandra.options.DecoupledOptions;
import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.writer.Alignment;
import io.counterpart.core.plan.Decision;
import io.counterpart.core.plan.Reason;
import io.counterpart.core.plan.TaskKind;
import io.counterpart.core.ring.Role;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;

/** Turns decisions into tasks. Stateless. */
final class Rewrites {
  private final ColumnFamilyStore cfs;
  private final DecoupledOptions options;
  private final TableCounters counters;
  private final ExpiredSSTables expired;

  Rewrites(
      ColumnFamilyStore cfs,
      DecoupledOptions options,
      TableCounters counters,
      ExpiredSSTables expired) {
    this.cfs = cfs;
    this.options = options;
    this.counters = counters;
    this.expired = expired;
  }

  /**
   * The state of the world that a task is made for.
   *
   * @param gcBefore tombstones older than this, in seconds since the epoch, may go
   * @param nowMillis since the epoch
   */
  record Moment(RingSnapshot ring, long gcBefore, long nowMillis) {}

  /** The task of a decision; null where another took one of its sstables meanwhile. */
  @Nullable PlannedTask begin(Decision decision, PlanningView view, Moment moment) {
    LifecycleTransaction txn =
        cfs.getTracker().tryModify(view.inputs(decision), OperationType.COMPACTION);
    return txn == null ? null : orClose(txn, () -> task(decision, view, moment, txn));
  }

  /**
   * The task of a transaction. Without one the transaction is closed: its sstables would count as
   * compacting until the node restarts.
   */
  static <T> T orClose(LifecycleTransaction txn, Supplier<T> task) {
    try {
      return task.get();
    } catch (RuntimeException | Error failure) {
      txn.close();
      throw failure;
    }
  }

  private PlannedTask task(
      Decision decision, PlanningView view, Moment moment, LifecycleTransaction txn) {
    PlannedTask.What what = new PlannedTask.What(decision.kind(), decision.reason());
    return switch (decision.kind()) {
      case EXPIRE -> new ExpireTask(cfs, txn, moment.gcBefore(), what, expired::mustStay);
      case LOG_MERGE -> merge(txn, moment, what);
      case COMPACT ->
          view.isUndivided() ? merge(txn, moment, what) : align(txn, moment, what, Set.of());
      default -> align(txn, moment, what, view.takenAlong(decision));
    };
  }

  /**
   * One sstable for its format, compression or place: content, role and level stay.
   *
   * @param role by which its format is chosen
   */
  PlannedTask inPlace(LifecycleTransaction txn, long gcBefore, Role role) {
    CopyFormat format = role == Role.RUN ? options.redundantFormat() : CopyFormat.TABLE;
    PlannedTask.What what = new PlannedTask.What(TaskKind.REWRITE, Reason.ASKED);
    return format.isTables()
        ? new PlannedTask(cfs, txn, gcBefore, what)
        : new PlannedTask(cfs, txn, gcBefore, what) {
          @Override
          public CompactionAwareWriter getCompactionAwareWriter(
              ColumnFamilyStore table,
              Directories directories,
              LifecycleTransaction transaction,
              Set<SSTableReader> nonExpired) {
            return new InPlaceWriter(table, directories, transaction, nonExpired, format);
          }
        };
  }

  /** What an operator wants together, group by group unless the table is small. */
  PlannedTask together(LifecycleTransaction txn, Moment moment, boolean undivided) {
    PlannedTask.What what = new PlannedTask.What(TaskKind.COMPACT, Reason.ASKED);
    return undivided ? merge(txn, moment, what) : align(txn, moment, what, Set.of());
  }

  private PlannedTask merge(LifecycleTransaction txn, Moment moment, PlannedTask.What what) {
    return new LogMergeTask(
        cfs, txn, moment.gcBefore(), new LogMergeTask.Counted(what, moment.ring(), counters));
  }

  private PlannedTask align(
      LifecycleTransaction txn,
      Moment moment,
      PlannedTask.What what,
      Set<SSTableReader> takenAlong) {
    boolean ofRuns =
        switch (what.kind()) {
          case MERGE, PURGE, COMPACT -> true;
          default -> false;
        };
    Alignment alignment =
        new Alignment(
            moment.ring(),
            new Alignment.Side(
                options.primarySstableBytes(), counters.primaryBatchBytes, CopyFormat.TABLE),
            new Alignment.Side(
                options.sstableBytes(),
                ofRuns ? counters.mergedBytes : counters.splitBytes,
                options.redundantFormat()));
    int leastInputs = what.kind() == TaskKind.MERGE ? 2 : 1;
    return new AlignTask(
        cfs, txn, moment.gcBefore(), new AlignTask.Cut(what, alignment, takenAlong, leastInputs));
  }
}

package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Sets;
import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import io.counterpart.cassandra.report.TableCounters;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.cassandra.ring.TableRing;
import io.counterpart.core.plan.Reason;
import io.counterpart.core.plan.TaskKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.junit.jupiter.api.Test;

/** Rewrites that omit inputs because the disk has no room for all of them. */
class AlignTaskTest {
  private static final Rows REDUNDANT =
      Rows.of(100, 100).where(token -> OfflineTable.replicaIndex(token) > 0);

  @Test
  void what_has_expired_goes_alone_where_there_is_no_room() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("min_run_size", "0B"))) {
      List<SSTableReader> expired = table.flush(REDUNDANT.expired());
      List<SSTableReader> all = new ArrayList<>(expired);
      all.addAll(table.flush(REDUNDANT));
      all.addAll(table.flush(REDUNDANT));

      try (LifecycleTransaction left = withoutRoom(table, all, Set.copyOf(expired))) {
        // Cassandra asserts this
        assertThat(left.originals()).containsExactlyInAnyOrderElementsOf(expired);
      }
    }
  }

  @Test
  void a_merge_of_an_undivided_log_keeps_two_inputs_or_is_refused() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of())) {
      List<SSTableReader> all = new ArrayList<>();
      for (int flush = 0; flush < 4; flush++) {
        all.addAll(table.flush(Rows.of(10, 10)));
      }
      RingSnapshot ring = Objects.requireNonNull(new TableRing(table.cfs, 256).current());
      PlannedTask.What what = new PlannedTask.What(TaskKind.LOG_MERGE, Reason.LIMIT);
      try (LifecycleTransaction txn =
          table.cfs.getTracker().tryModify(all, OperationType.COMPACTION)) {
        LogMergeTask merge =
            new LogMergeTask(
                table.cfs,
                txn,
                0,
                new LogMergeTask.Counted(what, ring, new TableCounters(table.cfs)));
        while (txn.originals().size() > 1
            && merge.reduceScopeForLimitedSpace(txn.originals(), 1 << 20)) {}
        assertThat(txn.originals()).hasSize(2);
      }
    }
  }

  @Test
  void a_merge_keeps_two_inputs_or_is_refused() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("min_run_size", "0B"))) {
      List<SSTableReader> all = new ArrayList<>(table.flush(REDUNDANT));
      all.addAll(table.flush(REDUNDANT));
      all.addAll(table.flush(REDUNDANT));

      try (LifecycleTransaction left = withoutRoom(table, all, Set.of())) {
        assertThat(left.originals()).hasSize(2);
      }
    }
  }

  /** Asks for less until nothing is left to be written, or no less is possible. */
  private static LifecycleTransaction withoutRoom(
      OfflineTable table, List<SSTableReader> inputs, Set<SSTableReader> expired) {
    LifecycleTransaction txn = table.cfs.getTracker().tryModify(inputs, OperationType.COMPACTION);
    assertThat(txn).isNotNull();
    AlignTask merge =
        new AlignTask(
            table.cfs,
            txn,
            0,
            new AlignTask.Cut(
                new PlannedTask.What(TaskKind.MERGE, Reason.RUNS), null, Set.of(), 2));
    Set<SSTableReader> nonExpired = Sets.difference(txn.originals(), expired);
    while (!nonExpired.isEmpty() && merge.reduceScopeForLimitedSpace(nonExpired, 1 << 20)) {
      assertThat(txn.originals()).isNotEmpty();
    }
    return txn;
  }
}

package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import io.counterpart.core.ring.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.junit.jupiter.api.Test;

/** The inputs of operators' commands, and the sstables that remain when a command fails. */
class OperatorTasksTest {
  private static final Map<String, String> RUNS_AT_FLUSH = Map.of("split", "flush");
  private static final Rows REDUNDANT =
      Rows.of(400, 100).where(token -> OfflineTable.replicaIndex(token) > 0);
  private static final Rows FEW =
      Rows.of(80, 10).where(token -> OfflineTable.replicaIndex(token) > 0);

  @Test
  void compact_takes_what_spans_groups_and_leaves_the_groups_for_later_steps() throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      List<SSTableReader> runs = table.flush(REDUNDANT);
      assertThat(runs).hasSize(8);
      table.restart(Map.of("split", "background", "min_run_size", "0B"));
      List<SSTableReader> wide = table.flush(Rows.of(400, 100));
      assertThat(wide).hasSize(2);

      Collection<AbstractCompactionTask> tasks = table.strategy().getMaximalTask(0, false);

      assertThat(tasks).hasSize(1);
      assertThat(table.taken()).containsExactlyInAnyOrderElementsOf(wide);
    }
  }

  @Test
  void one_sstable_is_rewritten_for_its_format_without_being_cut() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("min_run_size", "0B"))) {
      SSTableReader segment = table.flush(REDUNDANT).stream().findFirst().orElseThrow();
      assertThat(table.strategy().report().withRole(Role.SEGMENT)).hasSize(1);

      AbstractCompactionTask task = table.strategy().getUserDefinedTask(List.of(segment), 0);

      assertThat(task).isInstanceOf(AlignTask.class);
      ((PlannedTask) task).transaction().close();
      var txn = table.cfs.getTracker().tryModify(List.of(segment), OperationType.COMPACTION);
      assertThat(table.strategy().getCompactionTask(txn, 0, Long.MAX_VALUE))
          .isNotInstanceOf(AlignTask.class)
          .hasToString("REWRITE of " + txn);
      txn.close();
    }
  }

  @Test
  void groups_follow_one_another_to_the_last_although_the_ring_numbers_them_anew()
      throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      OfflineTable.useRing(true);
      List<SSTableReader> runs = new ArrayList<>(table.flush(REDUNDANT));
      runs.addAll(table.flush(REDUNDANT));
      assertThat(runs).hasSize(16);
      Supplier<AbstractCompactionTask> groups = table.strategy().operator().groupByGroup(0);
      Set<SSTableReader> compacted = new HashSet<>();
      for (int group = 0; group < 4; group++) {
        compacted.addAll(takenBy(groups.get(), table));
      }
      assertThat(compacted).hasSize(8);

      OfflineTable.useRing(false);
      table.strategy().report();
      for (AbstractCompactionTask task = groups.get(); task != null; task = groups.get()) {
        compacted.addAll(takenBy(task, table));
      }

      assertThat(compacted).containsExactlyInAnyOrderElementsOf(runs);
    }
  }

  @Test
  void groups_follow_one_another_to_the_last_although_the_table_becomes_small() throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      List<SSTableReader> kept = new ArrayList<>(table.flush(FEW));
      kept.addAll(table.flush(FEW));
      List<SSTableReader> garbage = table.flush(REDUNDANT);
      table.restart(Map.of("min_run_size", "16KiB"));
      Supplier<AbstractCompactionTask> groups = table.strategy().operator().groupByGroup(0);
      Set<SSTableReader> compacted = new HashSet<>();
      for (int group = 0; group < 4; group++) {
        compacted.addAll(takenBy(groups.get(), table));
      }
      assertThat(compacted).hasSize(4 * 3);

      // as if it had been overwritten: 12 groups of 16 KiB are divided down to 48 KiB
      table.cfs.getTracker().removeUnsafe(Set.copyOf(garbage));
      garbage.forEach(table.strategy()::removeSSTable);
      for (AbstractCompactionTask task = groups.get(); task != null; task = groups.get()) {
        Set<SSTableReader> taken = takenBy(task, table);
        assertThat(taken).hasSize(2).doesNotContainAnyElementsOf(compacted);
        compacted.addAll(taken);
      }

      assertThat(compacted).containsAll(kept);
    }
  }

  @Test
  void what_a_change_of_the_ring_makes_span_groups_is_cut_by_a_compaction_of_all()
      throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      List<SSTableReader> runs = table.flush(REDUNDANT);
      Supplier<AbstractCompactionTask> groups = table.strategy().operator().groupByGroup(0);
      Set<SSTableReader> compacted = new HashSet<>();

      OfflineTable.giveAwayHalfOfArc(2);
      assertThat(table.strategy().report().withRole(Role.MIXED)).hasSize(1);
      for (AbstractCompactionTask task = groups.get(); task != null; task = groups.get()) {
        compacted.addAll(takenBy(task, table));
      }

      assertThat(compacted).containsExactlyInAnyOrderElementsOf(runs);
    }
  }

  @Test
  void a_compaction_of_all_is_interrupted_once_another_instance_has_the_sstables()
      throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      table.flush(REDUNDANT);
      Supplier<AbstractCompactionTask> groups = table.strategy().operator().groupByGroup(0);
      takenBy(groups.get(), table);

      table.restart(RUNS_AT_FLUSH);

      assertThatThrownBy(groups::get)
          .isInstanceOf(CompactionInterruptedException.class)
          .hasMessageContaining("groups done: 1; another instance");
      assertThat(table.taken()).isEmpty();
    }
  }

  @Test
  void a_compaction_of_all_is_interrupted_where_the_next_group_must_not_begin() throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      table.flush(REDUNDANT);
      Supplier<AbstractCompactionTask> groups = table.strategy().operator().groupByGroup(0);
      takenBy(groups.get(), table);
      table.cfs.getCompactionStrategyManager().pause();

      assertThatThrownBy(groups::get)
          .isInstanceOf(CompactionInterruptedException.class)
          .hasMessageContaining("groups done: 1; its compactions are paused");
      assertThat(table.taken()).isEmpty();

      table.cfs.getCompactionStrategyManager().resume();
      assertThat(takenBy(groups.get(), table)).as("the group that was refused").isNotEmpty();
    }
  }

  private static Set<SSTableReader> takenBy(AbstractCompactionTask task, OfflineTable table) {
    Set<SSTableReader> taken = table.taken();
    ((PlannedTask) task).transaction().close();
    return taken;
  }

  @Test
  void a_user_defined_compaction_that_is_refused_leaves_no_sstable_taken() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("min_run_size", "0B"))) {
      List<SSTableReader> segments = new ArrayList<>(table.flush(REDUNDANT));
      segments.addAll(table.flush(REDUNDANT));
      becomesRepaired(segments.get(0));

      assertThatThrownBy(() -> table.strategy().getUserDefinedTask(segments, 0))
          .isInstanceOf(IllegalArgumentException.class);

      assertThat(table.taken()).isEmpty();
    }
  }

  @Test
  void a_compaction_of_all_that_is_refused_half_way_leaves_no_sstable_taken() throws IOException {
    try (OfflineTable table = OfflineTable.create(RUNS_AT_FLUSH)) {
      table.flush(REDUNDANT);
      List<SSTableReader> runs = table.flush(REDUNDANT);
      becomesRepaired(runs.get(runs.size() - 1));

      assertThatThrownBy(() -> table.strategy().getMaximalTask(0, false))
          .isInstanceOf(IllegalArgumentException.class);

      assertThat(table.taken()).isEmpty();
    }
  }

  @Test
  void a_compaction_of_all_that_one_tree_refuses_leaves_those_of_the_others_free()
      throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("mode", "mlsm"))) {
      table.flush(Rows.of(300, 10));
      List<SSTableReader> second = table.flush(Rows.of(300, 10));
      assertThat(second).as("one for each replica index").hasSize(3);
      for (SSTableReader sstable : second) {
        if (isInLastTree(sstable)) {
          becomesRepaired(sstable);
        }
      }

      assertThatThrownBy(() -> table.strategy().getMaximalTask(0, false))
          .isInstanceOf(IllegalArgumentException.class);

      // the refusing tree is Cassandra's own: it keeps what it has taken itself
      assertThat(table.taken()).allMatch(OperatorTasksTest::isInLastTree);
    }
  }

  private static boolean isInLastTree(SSTableReader sstable) {
    return OfflineTable.replicaIndex(sstable.getFirst().getToken()) == 2;
  }

  /** As at the end of an incremental repair, a moment before the other instance has it. */
  private static void becomesRepaired(SSTableReader sstable) throws IOException {
    sstable.mutateRepairedAndReload(System.currentTimeMillis(), null, false);
  }

  @Test
  void a_repair_pairs_no_sstables_of_different_levels() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("split", "flush", "primary", "lcs"))) {
      List<SSTableReader> files = new ArrayList<>();
      files.addAll(table.flush(Rows.of(10, 10).where(OfflineTable.isInArc(4))));
      files.addAll(table.flush(Rows.of(10, 10).where(OfflineTable.isInArc(4))));
      files.get(1).mutateLevelAndReload(1);

      assertThat(table.strategy().groupSSTablesForAntiCompaction(files)).hasSize(2);
    }
  }
}

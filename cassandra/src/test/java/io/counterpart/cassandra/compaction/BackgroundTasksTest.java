package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Due tasks on real sstables, and the records that the planner gets. */
class BackgroundTasksTest {
  private static final Map<String, String> TWO_SEGMENTS =
      Map.of("min_run_size", "0B", "split_segments", "2", "max_segments", "2");

  @Test
  void large_segments_are_flushes_although_the_first_flush_since_the_start_was_small()
      throws IOException {
    try (OfflineTable table = OfflineTable.create(TWO_SEGMENTS)) {
      // as Cassandra does after each flush: 2 of 1000
      table.cfs.metric.flushSizeOnDisk.update(1_000);
      table.flush(Rows.of(600, 20_000));
      table.flush(Rows.of(600, 20_000));

      assertThat(String.valueOf(table.next(0))).startsWith("SPLIT of");
    }
  }

  @Test
  void a_split_is_due_by_the_groups_of_its_own_data_directory() throws IOException {
    Map<String, String> options =
        Map.of("min_run_size", "64KiB", "split_segments", "2", "split_idle", "86400");
    try (OfflineTable table = OfflineTable.create(options, 2)) {
      List<PartitionPosition> ends = table.cfs.getDiskBoundaries().positions;
      Token end = ends.get(0).getToken();
      Rows here =
          Rows.of(200, 1_000)
              .where(token -> token.compareTo(end) <= 0 && OfflineTable.replicaIndex(token) > 0);

      table.flush(here);
      assertThat(table.next(0)).as("one segment").isNull();
      table.flush(here);

      // 400 KB: 64 KiB for each of 4 or 5 groups, not for each of 8
      assertThat(String.valueOf(table.next(0))).startsWith("SPLIT of");
    }
  }

  @Test
  void the_tree_has_its_turn_after_three_urgent_tasks() throws IOException {
    Map<String, String> options = Map.of("split", "flush", "runs", "1");
    try (OfflineTable table = OfflineTable.create(options)) {
      Rows redundant = Rows.of(400, 100).where(token -> OfflineTable.replicaIndex(token) > 0);
      table.flush(redundant);
      assertThat(table.flush(redundant)).as("a run in each group").hasSize(8);
      for (int flush = 0; flush < 4; flush++) {
        assertThat(table.flush(Rows.of(20, 100).where(OfflineTable.isInArc(4)))).hasSize(1);
      }

      for (int urgent = 0; urgent < 3; urgent++) {
        assertThat(String.valueOf(table.next(0))).startsWith("MERGE of");
      }
      assertThat(table.next(0)).isNotNull().isNotInstanceOf(PlannedTask.class);
      assertThat(String.valueOf(table.next(0))).startsWith("MERGE of");
    }
  }

  @Test
  void expired_sstables_go_without_those_that_must_stay_after_all() throws IOException {
    Map<String, String> options = Map.of("mode", "mlsm", "primary_batch", "12");
    try (OfflineTable table = OfflineTable.create(options)) {
      List<SSTableReader> trees = table.flush(Rows.of(300, 10).expired());
      assertThat(trees).as("one for each replica index").hasSize(3);
      AbstractCompactionTask task = table.next(System.currentTimeMillis() / 1000);
      assertThat(task).isInstanceOf(ExpireTask.class);
      ExpireTask expire = (ExpireTask) task;

      // restored from a snapshot: the expired cells hide what is older
      table.flush(Rows.of(300, 10).writtenAgo(86_400));
      expire.leaveWhatShadows();

      assertThat(expire.transaction().originals()).isEmpty();
      assertThat(table.taken()).isEmpty();
      assertThat(String.valueOf(table.next(System.currentTimeMillis() / 1000)))
          .as("not the same again at once")
          .doesNotStartWith("EXPIRE");
    }
  }

  @ParameterizedTest(name = "{0} → inputs={1}")
  @CsvSource({
    "unchecked_tombstone_compaction=false, 2",
    "unchecked_tombstone_compaction=true,  1",
    "only_purge_repaired_tombstones=true,  0",
    "tombstone_compaction_interval=864000, 0",
    "tombstone_threshold=0.9,              0",
  })
  void runs_are_rewritten_for_their_tombstones_as_the_options_say(String option, int inputs)
      throws IOException {
    Map<String, String> options =
        new HashMap<>(Map.of("split", "flush", "tombstone_compaction_interval", "0"));
    String[] words = option.split("=");
    options.put(words[0], words[1]);
    try (OfflineTable table = OfflineTable.create(options)) {
      Rows redundant = Rows.of(3_000, 10).where(OfflineTable.isInArc(3));
      table.flush(redundant.writtenAgo(86_400));
      assertThat(table.flush(redundant.mostlyExpired())).hasSize(1);

      AbstractCompactionTask task = nextPurge(table);

      int taken =
          task instanceof PlannedTask planned ? planned.transaction().originals().size() : 0;
      assertThat(taken).isEqualTo(inputs);
    }
  }

  /** The next task a little later, since only sstables older than the interval are looked at. */
  private static @Nullable AbstractCompactionTask nextPurge(OfflineTable table) {
    long now = System.currentTimeMillis();
    await().until(() -> System.currentTimeMillis() > now);
    return table.next(now / 1000);
  }
}

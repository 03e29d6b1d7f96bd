package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.junit.jupiter.api.Test;

/** A strategy's knowledge before its first plan, because the commit log is flushed first. */
class RestartTest {
  /** With 12 groups divided from 768 KiB on, and small again below 192 KiB. */
  private static final Map<String, String> OPTIONS = Map.of("min_run_size", "64KiB");

  @Test
  void a_divided_table_between_the_bounds_stays_divided() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("split", "flush"))) {
      table.flush(Rows.of(400, 1_000));

      table.restart(OPTIONS);

      assertThat(table.write(Rows.of(50, 100))).as("a segment and a wide primary").hasSize(2);
    }
  }

  @Test
  void a_divided_table_stays_divided_although_its_sstables_are_placed_after_the_start()
      throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("min_run_size", "0B"))) {
      assertThat(table.flush(Rows.of(400, 1_000))).as("both span groups").hasSize(2);

      table.restart(OPTIONS);

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(table.write(Rows.of(50, 100))).hasSize(2));
    }
  }

  @Test
  void an_undivided_table_between_the_bounds_stays_undivided() throws IOException {
    try (OfflineTable table = OfflineTable.create(OPTIONS)) {
      assertThat(table.flush(Rows.of(400, 1_000))).hasSize(1);

      table.restart(OPTIONS);

      assertThat(table.write(Rows.of(50, 100))).hasSize(1);
    }
  }

  @Test
  void knows_when_its_sstables_were_written() throws IOException {
    try (OfflineTable table = OfflineTable.create(OPTIONS)) {
      for (SSTableReader sstable : table.flush(Rows.of(10, 100))) {
        assertThat(table.strategy().report().sstables())
            .anyMatch(report -> report.createdMillis() == sstable.getDataCreationTime());
      }
    }
  }
}

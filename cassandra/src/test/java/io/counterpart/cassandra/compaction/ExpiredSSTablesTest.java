package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.junit.jupiter.api.Test;

/** When the check is made: it goes by the time of the decision that asks. */
class ExpiredSSTablesTest {
  private final List<Long> checks = new ArrayList<>();
  private final ExpiredSSTables expired =
      new ExpiredSSTables(
          gcBefore -> {
            checks.add(gcBefore);
            return Set.of();
          });

  @Test
  void holds_for_twenty_seconds_of_the_time_that_it_is_asked_at() {
    expired.at(5, 100);
    expired.at(4 + ExpiredSSTables.CHECK_MILLIS, 101);
    assertThat(checks).containsExactly(100L);

    expired.at(5 + ExpiredSSTables.CHECK_MILLIS, 102);
    assertThat(checks).containsExactly(100L, 102L);
  }

  @Test
  void leaves_out_until_the_next_check_what_must_stay() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of("min_run_size", "0B"))) {
      List<SSTableReader> sstables = table.flush(Rows.of(100, 10));
      assertThat(sstables).hasSize(2);
      ExpiredSSTables all = new ExpiredSSTables(gcBefore -> Set.copyOf(sstables));
      assertThat(all.at(0, 0)).hasSize(2);

      all.mustStay(sstables.get(0));

      assertThat(all.at(1, 0)).containsExactly(sstables.get(1));
      assertThat(all.known()).containsExactly(sstables.get(1));
      assertThat(all.at(1 + ExpiredSSTables.CHECK_MILLIS, 0)).hasSize(2);
    }
  }

  @Test
  void does_not_wait_for_a_clock_that_was_set_back() {
    expired.at(3_600_000, 100);

    expired.at(5, 101);

    assertThat(checks).containsExactly(100L, 101L);
  }
}

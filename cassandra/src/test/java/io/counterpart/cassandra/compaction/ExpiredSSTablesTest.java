package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
  void does_not_wait_for_a_clock_that_was_set_back() {
    expired.at(3_600_000, 100);

    expired.at(5, 101);

    assertThat(checks).containsExactly(100L, 101L);
  }
}

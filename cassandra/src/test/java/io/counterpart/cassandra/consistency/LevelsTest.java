package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.staleness.decide.ReadLevel;
import org.apache.cassandra.db.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class LevelsTest {
  @Test
  void a_write_is_made_at_the_level_that_it_asks_for() {
    assertThat(Levels.ofWrites(false).apply(ConsistencyLevel.LOCAL_QUORUM))
        .isEqualTo(ReadLevel.LOCAL_QUORUM);
    assertThat(Levels.ofWrites(false).apply(ConsistencyLevel.EACH_QUORUM))
        .isEqualTo(ReadLevel.OTHER);
  }

  /** It may write at ONE what asks for a quorum: that proves no copy of this node. */
  @Test
  void another_handler_may_choose_another_level() {
    assertThat(Levels.ofWrites(true).apply(ConsistencyLevel.QUORUM)).isEqualTo(ReadLevel.OTHER);
  }
}

package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class IdleTreesTest {
  private static final Set<Integer> NONE = Set.of();

  private final IdleTrees idle = new IdleTrees();

  @Test
  void holds_an_answer_until_the_tree_changes() {
    idle.idle(1, NONE, 0);
    idle.idle(2, NONE, 0);

    idle.changed(1);

    assertThat(idle.isIdle(1, NONE, 1)).isFalse();
    assertThat(idle.isIdle(2, NONE, 1)).isTrue();
    assertThat(idle.isIdle(3, NONE, 1)).isFalse();
  }

  @Test
  void holds_an_answer_for_a_minute() {
    long since = Long.MAX_VALUE - 5;
    idle.idle(1, NONE, since);

    assertThat(idle.isIdle(1, NONE, since + IdleTrees.HOLDS_NANOS - 1)).isTrue();
    assertThat(idle.isIdle(1, NONE, since + IdleTrees.HOLDS_NANOS)).isFalse();
  }

  @Test
  void keeps_no_answer_of_a_tree_that_is_being_compacted() {
    idle.idle(1, Set.of(1), 0);
    idle.idle(2, NONE, 0);

    assertThat(idle.isIdle(1, NONE, 1)).isFalse();
    assertThat(idle.isIdle(2, Set.of(2), 1)).isFalse();
  }

  @Test
  void forgets_all_when_the_trees_are_made_anew() {
    idle.idle(1, NONE, 0);

    idle.clear();

    assertThat(idle.isIdle(1, NONE, 1)).isFalse();
  }
}

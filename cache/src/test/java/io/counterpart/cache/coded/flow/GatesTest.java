package io.counterpart.cache.coded.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of operations on a key. */
class GatesTest {
  private static final String KEY = "k";

  private final Gates<String> turns = new Gates<>();
  private final List<String> begun = new ArrayList<>();

  private void shared(String name) {
    turns.enterReading(KEY, () -> begun.add(name));
  }

  private void alone(String name) {
    turns.enterAlone(KEY, () -> begun.add(name));
  }

  @Test
  void reads_go_beside_each_other_and_a_change_waits_for_those_before_it() {
    shared("r1");
    shared("r2");
    alone("w1");
    shared("r3");
    shared("r4");
    alone("w2");
    assertThat(begun).containsExactly("r1", "r2");

    turns.leave(KEY);
    assertThat(begun).hasSize(2);
    turns.leave(KEY);
    assertThat(begun).containsExactly("r1", "r2", "w1");
    turns.leave(KEY);
    assertThat(begun).containsExactly("r1", "r2", "w1", "r3", "r4");
    turns.leave(KEY);
    turns.leave(KEY);
    assertThat(begun).endsWith("w2");
    turns.leave(KEY);
    assertThatThrownBy(() -> turns.leave(KEY)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void other_keys_do_not_wait() {
    alone("w");

    turns.enterAlone("other", () -> begun.add("other"));

    assertThat(begun).containsExactly("w", "other");
  }

  @Test
  void turns_that_end_at_once_do_not_pile_up_on_the_stack() {
    alone("first");
    for (int i = 0; i < 100_000; i++) {
      turns.enterAlone(KEY, () -> turns.leave(KEY));
    }
    shared("last");

    turns.leave(KEY);

    assertThat(begun).containsExactly("first", "last");
  }
}

package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.service.KeyHistory.Read;
import io.counterpart.cache.service.KeyHistory.Write;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker finds every violation and no false one. */
class KeyHistoryTest {
  private final KeyHistory history = new KeyHistory();

  @Test
  void what_was_acknowledged_is_found_until_it_is_overwritten() {
    history.wrote("k", new Write(1, 2, "a", true));
    history.read("k", new Read(3, 4, "a"));
    history.wrote("k", new Write(5, 8, "b", true));
    history.read("k", new Read(6, 7, "a"));
    history.read("k", new Read(6, 9, "b"));
    history.read("k", new Read(10, 11, "b"));

    assertThat(history.problems()).isEmpty();
  }

  @Test
  void a_lost_write_is_a_problem() {
    history.wrote("k", new Write(1, 2, "a", true));
    history.read("k", new Read(3, 4, ""));

    assertThat(firstLines()).containsExactly("k: '' was read after 'a' was acknowledged");
  }

  @Test
  void a_value_that_was_overwritten_is_a_problem() {
    history.wrote("k", new Write(1, 2, "a", true));
    history.wrote("k", new Write(3, 4, "b", true));
    history.read("k", new Read(5, 6, "a"));

    assertThat(firstLines()).containsExactly("k: 'a' was read after 'b' was acknowledged");
  }

  @Test
  void an_uncertain_write_counts_only_until_its_client_was_told() {
    history.wrote("k", new Write(1, 4, "uncertain", false));
    history.wrote("k", new Write(2, 3, "b", true));
    history.read("k", new Read(5, 6, "uncertain"));
    assertThat(history.problems()).isEmpty();

    history.wrote("k", new Write(7, 8, "c", true));
    history.read("k", new Read(9, 10, "uncertain"));
    assertThat(firstLines()).containsExactly("k: 'uncertain' was read after 'c' was acknowledged");
  }

  @Test
  void a_write_that_nobody_was_told_of_may_take_effect_late() {
    history.wrote("k", new Write(1, Long.MAX_VALUE, "silent", false));
    history.wrote("k", new Write(2, 3, "b", true));
    history.read("k", new Read(4, 5, "silent"));

    assertThat(history.problems()).isEmpty();
  }

  @Test
  void what_was_read_is_not_undone_and_what_nobody_wrote_is_not_found() {
    history.wrote("k", new Write(1, 2, "a", true));
    history.wrote("k", new Write(3, 4, "b", false));
    history.read("k", new Read(5, 6, "b"));
    history.read("k", new Read(7, 8, "a"));
    history.read("other", new Read(7, 8, "a"));

    assertThat(firstLines())
        .containsExactly(
            "k: 'a' was read after 'b' was read", "other: 'a' was not written before it was read");
  }

  @Test
  void a_problem_shows_what_happened_around_it() {
    history.wrote("k", new Write(1_000_000, 2_000_000, "a", true));
    history.read("k", new Read(3_000_000, 4_000_000, ""));

    assertThat(history.problems().get(0).lines().skip(1).map(String::strip))
        .containsExactly("wrote 'a1' (acknowledged, 1 to 2)", "read '0' (3 to 4)");
  }

  private List<String> firstLines() {
    return history.problems().stream().map(problem -> problem.lines().findFirst().get()).toList();
  }
}

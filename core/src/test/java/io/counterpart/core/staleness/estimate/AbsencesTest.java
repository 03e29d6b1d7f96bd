package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AbsencesTest {
  private static final long SECOND = 1_000_000_000;

  /** The clock's zero is anywhere, and its sum may overflow. */
  private static final long START = Long.MAX_VALUE - 10 * SECOND;

  private final Absences<String> absences = absences(Duration.ZERO, -60);

  @Test
  void a_replica_that_was_always_there_lacks_nothing() {
    observe(true, 0);

    assertThat(catchesUp(0)).isFalse();
  }

  @Test
  void a_replica_catches_up_for_as_long_as_it_was_away() {
    observe(false, 0);
    observe(false, 150);
    assertThat(catchesUp(150)).isTrue();

    observe(true, 200);
    observe(true, 399);
    assertThat(catchesUp(399)).isTrue();
    assertThat(catchesUp(400)).isFalse();

    observe(true, 400);
    observe(true, 401);
    assertThat(catchesUp(401)).isFalse();
  }

  @Test
  void a_short_absence_counts_as_a_minute() {
    observe(false, 0);
    observe(true, 3);

    assertThat(catchesUp(62)).isTrue();
    assertThat(catchesUp(63)).isFalse();
  }

  @Test
  void a_replica_that_comes_back_at_another_address_catches_up_there() {
    observe(false, 0);
    absences.moved("a", "b", false, START + 600 * SECOND);
    absences.observe("b", true, START + 600 * SECOND);

    assertThat(absences.anyCatchesUp(List.of("b"), START + 1_199 * SECOND)).isTrue();
    assertThat(absences.anyCatchesUp(List.of("a", "b"), START + 1_200 * SECOND)).isFalse();
  }

  @Test
  void a_node_that_joins_lacks_what_those_lack_that_its_rows_come_from() {
    observe(false, 0);
    observe(true, 100);
    absences.joined("new", START + 150 * SECOND);
    absences.observe("new", true, START + 150 * SECOND);

    assertThat(absences.anyCatchesUp(List.of("new"), START + 299 * SECOND)).isTrue();
    assertThat(absences.anyCatchesUp(List.of("new"), START + 300 * SECOND)).isFalse();
  }

  @Test
  void a_node_that_joins_lacks_what_a_node_that_is_away_keeps_for_those_that_its_rows_come_from() {
    observe(false, 0);
    observe(true, 100);
    absences.observe("holder", false, START + 150 * SECOND);
    observe(true, 300);
    absences.joined("new", START + 300 * SECOND);
    absences.observe("new", true, START + 300 * SECOND);

    absences.observe("new", true, START + 1_000 * SECOND);
    assertThat(absences.anyCatchesUp(List.of("new"), START + 1_000 * SECOND)).isTrue();

    absences.observe("holder", true, START + 1_000 * SECOND);
    absences.observe("new", true, START + 1_849 * SECOND);
    assertThat(absences.anyCatchesUp(List.of("new"), START + 1_849 * SECOND)).isTrue();
    assertThat(absences.anyCatchesUp(List.of("new"), START + 1_850 * SECOND)).isFalse();
  }

  @Test
  void nodes_that_take_over_ranges_lack_what_those_lack_that_their_rows_come_from() {
    observe(false, 0);
    observe(true, 100);
    absences.observe("away", false, START + 140 * SECOND);
    absences.tookOver("away", START + 150 * SECOND);
    absences.tookOver("b", START + 150 * SECOND);
    absences.observe("away", true, START + 160 * SECOND);

    assertThat(absences.anyCatchesUp(List.of("b"), START + 299 * SECOND)).isTrue();
    assertThat(absences.anyCatchesUp(List.of("b"), START + 300 * SECOND)).isFalse();
    assertThat(absences.anyCatchesUp(List.of("away"), START + 319 * SECOND)).isTrue();

    absences.removed("a");
    absences.removed("away");
    absences.tookOver("c", START + 310 * SECOND);
    assertThat(absences.anyCatchesUp(List.of("c"), START + 370 * SECOND)).isFalse();
  }

  @Test
  void a_node_that_joins_others_that_lack_nothing_catches_up_for_a_minute() {
    absences.joined("new", START);
    absences.observe("new", true, START);

    assertThat(absences.anyCatchesUp(List.of("new"), START + 59 * SECOND)).isTrue();
    assertThat(absences.anyCatchesUp(List.of("new"), START + 60 * SECOND)).isFalse();
  }

  @Test
  void replicas_that_swap_addresses_both_catch_up() {
    observe(false, 0);
    absences.observe("b", false, START + 100 * SECOND);
    absences.moved("a", "b", false, START + 600 * SECOND);
    absences.observe("b", true, START + 600 * SECOND);
    absences.moved("b", "a", true, START + 700 * SECOND);
    absences.observe("b", true, START + 701 * SECOND);
    observe(true, 701);

    assertThat(absences.anyCatchesUp(List.of("b"), START + 1_400 * SECOND)).isTrue();
    assertThat(catchesUp(1_400)).isTrue();
    assertThat(absences.anyCatchesUp(List.of("a", "b"), START + 1_402 * SECOND)).isFalse();
  }

  @Test
  void a_replica_lacks_what_a_node_keeps_that_had_been_away_before_it() {
    absences.observe("holder", false, START - 60 * SECOND);
    observe(false, 0);
    // there while the other is away, and away again before it has caught up itself
    absences.observe("holder", true, START);
    absences.observe("holder", false, START + 50 * SECOND);
    observe(true, 100);

    observe(true, 201);
    assertThat(catchesUp(201)).isTrue();
  }

  @Test
  void a_node_that_was_away_all_the_time_keeps_nothing() {
    absences.observe("other", false, START - 60 * SECOND);
    observe(false, 0);
    observe(true, 100);

    assertThat(catchesUp(199)).isTrue();
    assertThat(catchesUp(200)).isFalse();
  }

  @Test
  void a_replica_lacks_what_a_node_keeps_that_left_before_it_had_caught_up() {
    observe(false, 0);
    observe(true, 100);
    absences.observe("holder", false, START + 150 * SECOND);
    observe(true, 201);
    assertThat(catchesUp(201)).isTrue();

    absences.observe("holder", true, START + 300 * SECOND);
    observe(true, 449);
    assertThat(catchesUp(449)).isTrue();
    assertThat(catchesUp(450)).isFalse();
  }

  @Test
  void a_replica_has_not_caught_up_while_there_are_hints_for_it() {
    observe(false, 0);
    observe(true, 100);
    absences.owes("a", () -> true, START + 190 * SECOND);
    assertThat(catchesUp(249)).isTrue();
    absences.owes("a", () -> false, START + 249 * SECOND);
    assertThat(catchesUp(250)).isFalse();

    absences.owes("never away", () -> true, START);
    assertThat(absences.anyCatchesUp(List.of("never away"), START)).isFalse();
  }

  @Test
  void a_replica_has_not_caught_up_after_the_start_while_there_are_hints_for_it() {
    Absences<String> started = absences(Duration.ofSeconds(300), 0);

    started.owes("a", () -> true, START + 290 * SECOND);
    started.owes("b", () -> false, START + 290 * SECOND);
    assertThat(started.anyCatchesUp(List.of("a"), START + 349 * SECOND)).isTrue();
    assertThat(started.anyCatchesUp(List.of("b"), START + 349 * SECOND)).isFalse();

    assertThat(started.anyCatchesUp(List.of("a", "b"), START + 350 * SECOND)).isFalse();
  }

  @Test
  void a_node_that_observes_nothing_for_a_while_was_away_itself() {
    absences.observed("a", START);
    absences.observed("a", START + SECOND);
    assertThat(catchesUp(1)).isFalse();

    // paused: at first nobody knows, then it catches up for a minute
    for (int second = 21; second < 81; second++) {
      assertThat(catchesUp(second)).isTrue();
      absences.observed("a", START + second * SECOND);
      assertThat(catchesUp(second)).isTrue();
      assertThat(absences.anyCatchesUp(List.of("b"), START + second * SECOND)).isFalse();
    }
    absences.observed("a", START + 81 * SECOND);
    assertThat(catchesUp(81)).isFalse();
  }

  @Test
  void a_node_that_is_away_is_not_back_by_observing_late() {
    absences.observed("a", START);
    observe(false, 1);
    absences.observed("a", START + 20 * SECOND);

    assertThat(absences.isAway("a")).isTrue();
  }

  @Test
  void absences_in_a_row_are_one() {
    observe(false, 0);
    observe(true, 200);
    observe(false, 250);
    observe(true, 260);

    assertThat(catchesUp(519)).isTrue();
    assertThat(catchesUp(520)).isFalse();
  }

  @Test
  void other_replicas_are_not_concerned() {
    observe(false, 0);

    assertThat(absences.anyCatchesUp(List.of("b", "c"), START)).isFalse();
    assertThat(absences.anyCatchesUp(List.of("b", "a"), START)).isTrue();
  }

  @Test
  void every_replica_may_have_been_away_before_the_start() {
    Absences<String> started = absences(Duration.ofSeconds(300), 0);

    // seen as there all the time
    started.observe("a", true, START);
    started.observe("a", true, START + 299 * SECOND);

    assertThat(started.anyCatchesUp(List.of("a"), START + 299 * SECOND)).isTrue();
    assertThat(started.anyCatchesUp(List.of("never seen"), START + 299 * SECOND)).isTrue();
    assertThat(started.anyCatchesUp(List.of("a", "never seen"), START + 300 * SECOND)).isFalse();
  }

  @Test
  void an_absence_soon_after_the_start_counts_with_the_one_before() {
    Absences<String> started = absences(Duration.ofSeconds(300), 0);

    started.observe("a", false, START + 100 * SECOND);
    started.observe("a", true, START + 200 * SECOND);

    // away from -300 to 200
    assertThat(started.anyCatchesUp(List.of("a"), START + 699 * SECOND)).isTrue();
    assertThat(started.anyCatchesUp(List.of("a"), START + 700 * SECOND)).isFalse();
    assertThat(started.anyCatchesUp(List.of("b"), START + 300 * SECOND)).isFalse();
  }

  @Test
  void a_start_counts_as_the_shortest_absence_at_least() {
    Absences<String> started = absences(Duration.ZERO, 0);

    assertThat(started.anyCatchesUp(List.of("a"), START + 59 * SECOND)).isTrue();
    assertThat(started.anyCatchesUp(List.of("a"), START + 60 * SECOND)).isFalse();
  }

  @Test
  void illegal_times_are_refused() {
    assertThatThrownBy(() -> new Absences<>(Duration.ZERO, Duration.ZERO, 0))
        .hasMessage("least is PT0S, legal: above 0");
    assertThatThrownBy(() -> new Absences<>(Duration.ofSeconds(1), Duration.ofSeconds(-1), 0))
        .hasMessage("beforeStart is PT-1S, legal: 0 and above");
  }

  private static Absences<String> absences(Duration beforeStart, long startSecond) {
    return new Absences<>(Duration.ofSeconds(60), beforeStart, START + startSecond * SECOND);
  }

  private void observe(boolean there, long second) {
    absences.observe("a", there, START + second * SECOND);
  }

  private boolean catchesUp(long second) {
    return absences.anyCatchesUp(List.of("a"), START + second * SECOND);
  }
}

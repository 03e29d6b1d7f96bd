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

  private final Absences<String> absences = new Absences<>(Duration.ofSeconds(60));

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
  void a_time_to_catch_up_of_nothing_is_refused() {
    assertThatThrownBy(() -> new Absences<>(Duration.ZERO))
        .hasMessage("least is PT0S, legal: above 0");
  }

  private void observe(boolean there, long second) {
    absences.observe("a", there, START + second * SECOND);
  }

  private boolean catchesUp(long second) {
    return absences.anyCatchesUp(List.of("a"), START + second * SECOND);
  }
}

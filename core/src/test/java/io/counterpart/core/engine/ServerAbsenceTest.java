package io.counterpart.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ServerAbsenceTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final ServerAbsence absence = new ServerAbsence(now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void lasts_from_a_failed_write_to_an_answered_probe() {
    assertThat(absence.isAway()).isFalse();
    assertThat(absence.takeProbe()).isFalse();

    assertThat(absence.fail("refused")).isTrue();
    assertThat(absence.fail("refused again")).isFalse();

    assertThat(absence.reason()).isEqualTo("refused");
    assertThat(absence.takeProbe()).isFalse();
    pass(ServerAbsence.FIRST_REST);
    assertThat(absence.takeProbe()).isTrue();
    assertThat(absence.takeProbe()).as("one at a time").isFalse();
    pass(ServerAbsence.FIRST_REST);
    assertThat(absence.takeProbe()).isTrue();
    assertThat(absence.answer()).isTrue();
    assertThat(absence.answer()).isFalse();
    assertThat(absence.isAway()).isFalse();
  }

  @Test
  void rests_longer_where_a_server_answers_and_takes_nothing() {
    for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 64, 64}) {
      absence.fail("no room");
      pass(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(absence.takeProbe()).as("before %d s", seconds).isFalse();
      pass(Duration.ofNanos(1));
      assertThat(absence.takeProbe()).isTrue();
      absence.answer();
    }
    absence.take();
    absence.fail("no room");
    pass(ServerAbsence.FIRST_REST);
    assertThat(absence.takeProbe()).isTrue();
  }
}

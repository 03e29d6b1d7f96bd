package io.counterpart.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushPatienceTest {

  @Test
  void a_flush_waits_alone() {
    assertThat(FlushPatience.mayWait(0, 0.74)).isTrue();
    assertThat(FlushPatience.mayWait(1, 0.74)).isTrue();
    assertThat(FlushPatience.mayWait(1, 0.75)).isFalse();
    assertThat(FlushPatience.mayWait(2, 0)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // memory in use, seconds since the flush began
    "0.00, 60, true",
    "0.74, 60, true",
    "0.75, 0, true",
    "0.75, 1, false",
    "1.00, 0, true",
    "1.00, 60, false"
  })
  void memory_that_others_need_is_not_held_for_long(
      double memoryUsed, int seconds, boolean mayGoOn) {
    assertThat(FlushPatience.mayGoOn(memoryUsed, Duration.ofSeconds(seconds))).isEqualTo(mayGoOn);
  }
}

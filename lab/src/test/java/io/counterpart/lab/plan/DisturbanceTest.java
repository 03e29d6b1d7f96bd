package io.counterpart.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisturbanceTest {
  @Test
  void says_what_goes_wrong() {
    Disturbance both = new Disturbance(3, 20, 5_000, 150);

    assertThat(both.describe())
        .isEqualTo("node 3: 20 disk reads/s; pauses of about 150 ms, every 5.0 s one node");
    assertThat(both.pausesAlone().describe())
        .isEqualTo("pauses of about 150 ms, every 5.0 s one node");
    assertThat(new Disturbance(3, 20, 0, 0).describe()).isEqualTo("node 3: 20 disk reads/s");
    assertThat(Disturbance.NONE.describe()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0, 0, node -1: must be 0 or above",
    "0, 20, 0, 0, reads per second of the slow node 20: must be 0",
    "3, 9, 0, 0, reads per second of the slow node 9: must be 10 to 1000000",
    "0, 0, 99, 150, milliseconds between pauses 99: must be 100 to 3600000",
    "0, 0, 0, 150, milliseconds of a pause 150: must be 0",
    "0, 0, 5000, 1001, milliseconds of a pause 1001: must be 50 to 1000"
  })
  void refuses_what_is_out_of_range(int node, int reads, int every, int pause, String message) {
    assertThatThrownBy(() -> new Disturbance(node, reads, every, pause))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}

package io.counterpart.core.staleness.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTextTest {
  private static final ConsistencyPolicy DEFAULT = ConsistencyPolicy.DEFAULT;

  @Test
  void reads_what_operators_write() {
    assertThat(
            PolicyText.parse(
                Map.of(
                    "mode",
                    "Lower",
                    "epsilon",
                    "0.05",
                    "floor",
                    "one",
                    "window_ms",
                    "20",
                    "read_repair_chance",
                    "0.5"),
                DEFAULT))
        .isEqualTo(
            new ConsistencyPolicy(
                AdjustmentMode.LOWER, 0.05, Optional.of(ReadLevel.ONE), OptionalLong.of(20), 0.5));
    assertThat(PolicyText.parse(Map.of(), DEFAULT)).isEqualTo(DEFAULT);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mode      | best   | mode is 'best', legal: off, raise, lower
          mode      | lower  | floor is missing, legal with mode lower
          epsilon   | 0      | epsilon is 0.0, legal: above 0 and below 1
          epsilon   | 1      | epsilon is 1.0, legal: above 0 and below 1
          epsilon   | NaN    | epsilon is NaN, legal: above 0 and below 1
          epsilon   | some   | epsilon is 'some', legal: above 0 and below 1
          floor     | ALL    | floor is 'ALL', legal: ONE, TWO
          floor     | SERIAL | floor is 'SERIAL', legal: ONE, TWO
          floor     | ONE    | floor is ONE, legal:
          window_ms | -1     | window_ms is -1, legal: 0 to 3600000
          window_ms | 3600001| window_ms is 3600001, legal: 0 to 3600000
          window_ms | soon   | window_ms is 'soon', legal: 0 to 3600000
          read_repair_chance | 2   | read_repair_chance is 2.0, legal: 0 to 1
          read_repair_chance | NaN | read_repair_chance is NaN, legal: 0 to 1
          read_repair_chance | all | read_repair_chance is 'all', legal: 0 to 1
          windows   | 3      | option is windows, legal: one of [mode, epsilon, floor, window_ms,
          """)
  void refuses_a_bad_policy_with_the_legal_range(String option, String value, String message) {
    assertThatThrownBy(() -> PolicyText.parse(Map.of(option, value), DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void reads_the_payload_of_a_request_and_leaves_other_keys_alone() {
    assertThat(
            RequestWish.parse(
                Map.of("cr", "strict", "max_stale_ms", "0", "deadline_ms", "50", "other", "x")))
        .isEqualTo(new RequestWish(true, OptionalLong.of(0), OptionalLong.of(50)));
    assertThat(RequestWish.parse(Map.of())).isEqualTo(RequestWish.NONE);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cr           | loose   | cr is 'loose', legal: strict
          max_stale_ms | -1      | max_stale_ms is '-1', legal: 0 to 3600000
          max_stale_ms | much    | max_stale_ms is 'much', legal: 0 to 3600000
          deadline_ms  | 0       | deadline_ms is '0', legal: 1 to 3600000
          """)
  void refuses_a_bad_payload_with_the_legal_range(String key, String value, String message) {
    assertThatThrownBy(() -> RequestWish.parse(Map.of(key, value))).hasMessage(message);
  }
}

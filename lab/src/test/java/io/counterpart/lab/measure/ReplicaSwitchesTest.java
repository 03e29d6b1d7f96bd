package io.counterpart.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSwitchesTest {
  @Test
  void counts_what_is_younger_than_the_block() {
    List<String> lines =
        List.of(
            "0.4 s ago: 20.1 to 3.2 ms: faster for long enough",
            "5.9 s ago: 3.2 to 20.1 ms: slower in enough snapshots in a row",
            "61.0 s ago: 20.1 to 3.2 ms: faster for long enough");

    assertThat(ReplicaSwitches.within(lines, 6)).isEqualTo(2);
    assertThat(ReplicaSwitches.within(lines, 0.3)).isZero();
  }

  @Test
  void a_line_of_another_form_is_not_taken_for_none() {
    assertThatThrownBy(() -> ReplicaSwitches.within(List.of("just now"), 6))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("switch 'just now' does not begin with its age");
  }
}

package io.counterpart.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  @Test
  void counts_what_came_since_by_reason() {
    Decisions before = new Decisions(Map.of("warm_up", 10L, "raised", 5L), 2);
    Decisions after = new Decisions(Map.of("warm_up", 10L, "raised", 8L, "deadline", 1L), 3);

    Decisions between = after.since(before);

    assertThat(between.shadowReads()).isEqualTo(1);
    assertThat(between.counters())
        .as("without reasons of no read")
        .isEqualTo(Map.of("reads.raised", 3L, "reads.deadline", 1L));
  }
}

package io.counterpart.core.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookDecisionTest {

  @ParameterizedTest
  @CsvSource({
    "0, 100, FREE",
    "1, 100, MERGE",
    "80, 100, MERGE",
    "81, 100, KEEP",
    "100, 100, KEEP",
    "0, 3, FREE",
    "2, 3, MERGE",
    "3, 3, KEEP"
  })
  void by_the_share_that_was_read(int read, int slots, LookDecision expected) {
    assertThat(LookDecision.of(read, slots)).isEqualTo(expected);
  }
}

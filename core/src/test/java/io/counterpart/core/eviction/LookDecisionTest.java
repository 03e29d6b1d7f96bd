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

  @ParameterizedTest
  @CsvSource({
    "0, 0, FREE",
    "1, 0, KEEP",
    "1, 15, KEEP",
    "1, 16, FREE",
    "2, 31, KEEP",
    "2, 32, FREE",
    "9, 1000, FREE"
  })
  void without_moves_by_the_looks_in_vain(int read, int looks, LookDecision expected) {
    assertThat(LookDecision.withoutMoves(read, looks)).isEqualTo(expected);
  }
}

package io.counterpart.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PutDecisionTest {

  @ParameterizedTest
  @CsvSource({
    "buffered, -, buffered",
    "direct, -, direct",
    "direct, indexed, buffered: the table has an index",
    "direct, viewed, buffered: the table has a materialized view",
    "direct, byRank, buffered: redundant copies go to sstables",
    "direct, replaying, buffered: the commit log is replayed",
    "direct, truncating, buffered: the table is truncated",
  })
  void decides(String mode, String fact, String reason) {
    PutDecision decision =
        PutDecision.of(
            new PutFacts(
                WriteMode.named(mode),
                fact.equals("indexed"),
                fact.equals("viewed"),
                fact.equals("byRank"),
                fact.equals("replaying"),
                fact.equals("truncating")));

    assertThat(decision.reason()).isEqualTo(reason);
    assertThat(decision.isDirect()).isEqualTo(reason.equals("direct"));
  }

  @Test
  void names_the_legal_modes() {
    assertThatThrownBy(() -> WriteMode.named("Direct"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'Direct' is neither buffered nor direct");
  }
}

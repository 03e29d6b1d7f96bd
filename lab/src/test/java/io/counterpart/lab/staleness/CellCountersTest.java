package io.counterpart.lab.staleness;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.StalenessReport;
import org.junit.jupiter.api.Test;

class CellCountersTest {
  @Test
  void a_version_that_nobody_sent_is_a_wrong_value_and_a_stale_one_is_not() {
    StalenessReport stale = report(7, 0);
    StalenessReport impossible = report(0, 2);

    assertThat(CellCounters.outcome(stale)).isEqualTo(CheckOutcome.NONE);
    assertThat(CellCounters.outcome(impossible)).isEqualTo(CheckOutcome.NONE.plusWrong(2));
  }

  @Test
  void a_stale_read_of_a_quorum_after_a_quorum_is_a_lost_value() {
    CheckOutcome stale = CellCounters.outcomeOfQuorums(report(7, 1));

    assertThat(stale.lost()).isEqualTo(7);
    assertThat(stale.wrong()).isEqualTo(1);
    assertThat(stale.clean()).isFalse();
    assertThat(stale.examples()).singleElement().asString().contains("7 of 100 reads stale");
    assertThat(CellCounters.outcomeOfQuorums(report(0, 0))).isEqualTo(CheckOutcome.NONE);
  }

  private static StalenessReport report(long stale, long impossible) {
    return new StalenessReport(
        100, stale, 1, stale, 1, new StalenessReport.Violations(0, 0, impossible));
  }
}

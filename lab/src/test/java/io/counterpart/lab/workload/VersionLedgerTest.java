package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionLedgerTest {
  @Test
  void keeps_the_newest_version_when_acknowledgements_overtake_each_other() {
    VersionLedger ledger = new VersionLedger(3);
    int first = ledger.issue(2);
    int second = ledger.issue(2);

    ledger.acknowledge(2, second);
    ledger.acknowledge(2, first);

    assertThat(ledger.acknowledged(2)).isEqualTo(2);
    assertThat(ledger.issued(2)).isEqualTo(2);
    assertThat(ledger.acknowledged(0)).isZero();
  }

  @Test
  void gives_timestamps_that_only_grow() {
    CqlBinding.Clocks clocks = new CqlBinding.Clocks();
    long previous = clocks.nextMicros();

    for (int i = 0; i < 10_000; i++) {
      long next = clocks.nextMicros();
      assertThat(next).isGreaterThan(previous);
      previous = next;
    }
  }
}

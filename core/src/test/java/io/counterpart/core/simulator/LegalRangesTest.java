package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LegalRangesTest {
  @Test
  void bad_values_are_named_with_their_legal_range() {
    assertThatThrownBy(() -> new Cluster(5, 256, 6)).hasMessage("rf 6, legal: 1 to 5");
    assertThatThrownBy(() -> new Cluster(0, 256, 1)).hasMessage("nodes 0, legal: 1 to 1000");
    assertThatThrownBy(() -> new Cluster(5, 0, 1)).hasMessage("tokens 0, legal: 1 to 1024");
    assertThatThrownBy(() -> new Workload(0, 0, 1, 0))
        .hasMessage("keys 0, legal: 1 to 1000000000000");
    assertThatThrownBy(() -> new Workload(1, 0, 1, 1))
        .hasMessage("zipfExponent 1.0, legal: 0 and above, below 1");
    assertThatThrownBy(() -> new Storage(1, 1 << 20, Storage.Memtables.OWN, 1))
        .hasMessage("memtable 1, legal: 65536 to 68719476736");
    assertThatThrownBy(() -> new Storage(1 << 20, 1 << 20, Storage.Memtables.OWN, Double.NaN))
        .hasMessage("compactionRate NaN, legal: above 0, or unlimited");
    assertThatThrownBy(() -> new Formats(0, 1, 1, 1))
        .hasMessage("tableRatio 0.0, legal: above 0 to 2.0");
    assertThatThrownBy(() -> new Formats(1, 1, 1, Double.NaN))
        .hasMessage("redundantFilterChance NaN, legal: above 0 to 1.0");
  }
}

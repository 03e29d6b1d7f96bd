package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingSSTablesTest {
  @Test
  void an_operator_reads_how_many_wait_and_for_what() {
    assertThat(WaitingSSTables.phrase(List.of("", "its end"))).isEmpty();
    assertThat(
            WaitingSSTables.phrase(
                List.of("nodetool cleanup", "", "a repair session", "nodetool cleanup")))
        .isEqualTo("; waiting for a repair session: 1; waiting for nodetool cleanup: 2");
  }
}

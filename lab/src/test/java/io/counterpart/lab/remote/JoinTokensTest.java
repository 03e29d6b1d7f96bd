package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JoinTokensTest {
  @Test
  void quotas_are_read_from_the_options_of_the_strategy_alone() {
    String strategy = "io.counterpart.cassandra.placement.HeterogeneousStrategy";

    assertThat(
            JoinTokens.replication(
                    Map.of("class", strategy, "dc1", "4", "write_quorum", "3", "read_quorum", "2"))
                .quotas())
        .containsExactly(Map.entry("dc1", EngineQuotas.of(4, 3, 2)));
    assertThat(
            JoinTokens.replication(
                    Map.of("class", "org.apache.cassandra.locator.SimpleStrategy", "dc1", "3"))
                .quotas())
        .isEmpty();
  }
}

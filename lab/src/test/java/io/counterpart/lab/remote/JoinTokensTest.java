package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JoinTokensTest {
  @Test
  void a_node_gets_as_many_tokens_as_those_of_its_class_in_its_own_datacenter() {
    TokenRing ring =
        TokenRing.of(
            List.of(
                new RingNode("a", "dc1", "s1/write", List.of(1L, 2L)),
                new RingNode("b", "dc2", "s1/write", List.of(3L, 4L, 5L))));

    assertThat(JoinTokens.usual(ring, "dc1", "s2/write")).isEqualTo(2);
    assertThat(JoinTokens.usual(ring, "dc1", "s2/read")).isEqualTo(16);
  }

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

package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EngineQuotasTest {

  @Test
  void the_papers_examples_and_others_have_the_least_memory() {
    assertThat(EngineQuotas.of(3, 2, 2)).isEqualTo(new EngineQuotas(1, 1, 1));
    assertThat(EngineQuotas.of(4, 3, 2)).isEqualTo(new EngineQuotas(2, 1, 1));
    assertThat(EngineQuotas.of(5, 3, 3)).isEqualTo(new EngineQuotas(2, 2, 1));
    assertThat(EngineQuotas.of(3, 3, 1)).isEqualTo(new EngineQuotas(2, 0, 1));
    assertThat(EngineQuotas.of(3, 1, 3)).isEqualTo(new EngineQuotas(0, 2, 1));
    assertThat(EngineQuotas.of(3, 3, 3)).isEqualTo(new EngineQuotas(0, 0, 3));
    assertThat(EngineQuotas.of(1, 1, 1)).isEqualTo(new EngineQuotas(0, 0, 1));
  }

  @Test
  void both_quorums_are_met_by_fast_nodes_and_share_the_memory_ones() {
    for (int n = 1; n <= 9; n++) {
      for (int w = 1; w <= n; w++) {
        for (int r = n + 1 - w; r <= n; r++) {
          EngineQuotas quotas = EngineQuotas.of(n, w, r);

          assertThat(quotas.copies()).isEqualTo(n);
          assertThat(quotas.write() + quotas.memory()).isEqualTo(w);
          assertThat(quotas.read() + quotas.memory()).isEqualTo(r);
          assertThat(quotas.memory()).isPositive();
        }
      }
    }
  }

  @Test
  void a_bad_value_is_refused_with_value_and_range() {
    refused("copies (N) is 0, legal: 1 and above", 0, 1, 1);
    refused("write quorum (W) is 4, legal: 1 to 3, the copies (N)", 3, 4, 2);
    refused("write quorum (W) is 0, legal: 1 to 3", 3, 0, 2);
    refused("read quorum (R) is 4, legal: 1 to 3", 3, 2, 4);
    refused("read quorum (R) is 0, legal: 1 to 3", 3, 2, 0);
    refused("read quorum (R) is 2 + 1 = 3, legal: 4 to 6", 3, 2, 1);
    assertThatThrownBy(() -> new EngineQuotas(1, -1, 1)).hasMessageContaining("read -1");
    assertThatThrownBy(() -> new EngineQuotas(0, 0, 0)).hasMessageContaining("at least one copy");
  }

  private static void refused(String message, int copies, int writes, int reads) {
    assertThatThrownBy(() -> EngineQuotas.of(copies, writes, reads))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}

package io.counterpart.lab.remote.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PresentMixTest {
  @Test
  void quotas_are_the_shares_of_planned_tokens() {
    Map<EngineClass, Integer> tokens =
        Map.of(EngineClass.WRITE, 48, EngineClass.READ, 24, EngineClass.MEMORY, 24);

    assertThat(PresentMix.quotas(tokens, 4)).contains(EngineQuotas.of(4, 3, 2));
    assertThat(PresentMix.quotas(tokens, 3)).as("no whole copies").isEmpty();
    assertThat(PresentMix.quotas(Map.of(), 3)).isEmpty();
  }

  @Test
  void copies_are_those_of_the_datacenter_that_has_most() {
    assertThat(
            SchemaFacts.copies(
                Map.of(
                    "class",
                    "x.HeterogeneousStrategy",
                    "dc1",
                    "4",
                    "dc2",
                    "3",
                    "write_quorum",
                    "9",
                    "read_quorum",
                    "9")))
        .isEqualTo(4);
    assertThat(SchemaFacts.copies(Map.of("class", "Simple", "replication_factor", "3/1")))
        .isEqualTo(3);
    assertThat(SchemaFacts.copies(Map.of("class", "LocalStrategy"))).isEqualTo(1);
  }

  @Test
  void memory_is_the_engine_s_parameter_or_cassandra_s_memtable_space() {
    String with = "{memory=io.x.EngineMemtable{engine=memory, memory=64MiB}, lmdb=io.x.E{}}";
    String without = "{memory=io.x.EngineMemtable{engine=memory}}";

    assertThat(MemoryBudget.of(with, "128MiB")).isEqualTo(64L << 20);
    assertThat(MemoryBudget.of(without, "128MiB")).isEqualTo(128L << 20);
    assertThat(MemoryBudget.of(without, "2GiB")).isEqualTo(2L << 30);
    assertThat(MemoryBudget.of(without, "")).isZero();
  }
}

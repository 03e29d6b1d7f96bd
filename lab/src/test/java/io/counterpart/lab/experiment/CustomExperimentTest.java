package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.plan.Experiment;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CustomExperimentTest {
  private static final Map<String, Map<String, String>> OWN =
      Map.of("big", Map.of("class", "UnifiedCompactionStrategy", "scaling_parameters", "T8"));

  @Test
  void is_a_load_and_blocks_of_each_mix_on_each_arm() {
    Experiment experiment =
        custom(List.of("read", "insert"), List.of("stcs", "big", "decoupled_s5+pf"), 2, 1_000)
            .experiment();

    assertThat(experiment.armNames()).containsExactly("stcs_rf2", "big_rf2", "decoupled_s5_rf2+pf");
    // 5 slices and a drain of each table, and 2 mixes × 3 repeats on each arm
    assertThat(experiment.blocks()).isEqualTo(3 * (5 + 1) + 2 * 3 * 3);
    assertThat(experiment.stages().get(0).capacity()).isEqualTo(1_000 + 10 * 4 * 3);
  }

  @Test
  void refuses_what_it_does_not_know() {
    refused(() -> custom(List.of("read"), List.of("lsc"), 2, 1_000), "arm 'lsc': must be one of");
    refused(() -> custom(List.of("rad"), List.of("lcs"), 2, 1_000), "workload 'rad': must be one");
    refused(
        () -> custom(List.of("read"), List.of("lcs"), 4, 1_000),
        "replication factor 4: must be 1 to 3");
    refused(() -> custom(List.of("read"), List.of("lcs"), 2, 999), "rows 999: must be 1000 to");
    refused(() -> custom(List.of("read"), List.of("lcs", "lcs"), 2, 1_000), "arms [lcs");
    refused(
        () ->
            new CustomExperiment(
                List.of("read"),
                List.of("lcs"),
                Map.of(),
                1,
                1,
                "SERIAL",
                "ONE",
                1_000,
                1,
                0,
                1,
                0,
                0),
        "consistency level 'SERIAL'");
    refused(
        () ->
            new CustomExperiment(
                List.of("read"),
                List.of("x"),
                Map.of("x", Map.of("clas", "T")),
                1,
                1,
                "ONE",
                "ONE",
                1_000,
                1,
                0,
                1,
                0,
                0),
        "arm 'x': {clas=T} has no 'class'");
  }

  private static void refused(Supplier<CustomExperiment> maker, String message) {
    assertThatThrownBy(() -> maker.get().experiment())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static CustomExperiment custom(
      List<String> mixes, List<String> arms, int replicationFactor, int rows) {
    return new CustomExperiment(
        mixes, arms, OWN, replicationFactor, 3, "one", "TWO", rows, 10, 1, 3, 0.3, 0);
  }
}

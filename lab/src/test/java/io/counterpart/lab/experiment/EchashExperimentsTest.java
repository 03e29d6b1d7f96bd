package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.tier.TierExperiment;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EchashExperimentsTest {
  private static final List<String> ASKED_FOR =
      List.of(
          "ec.scaleout_8_6",
          "ec.scalein_8_6",
          "ec.scaleout_bytes_8_6",
          "ec.set_latency_1conn",
          "ec.degraded_5_3_5_paper",
          "ec.degraded_5_3_5_db",
          "ec.degraded_reads_live",
          "ec.fragment_vs_chunk_k6",
          "ec.fragment_vs_chunk_k6_256",
          "ec.repair_vs_cc",
          "ec.throughput_vs_vanilla_ro",
          "ec.throughput_vs_vanilla_95",
          "ec.throughput_vs_vanilla_50",
          "ec.update_commands_1k",
          "ec.metadata_64",
          "ec.metadata_1k",
          "ec.usable_memory",
          "ec.restart_10m",
          "ec.migrated_per_second",
          "ec.coding_5_3",
          "ec.coding_8_6_single",
          "ec.coding_8_6",
          "ec.proxy_gets");

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void every_figure_is_there_once_and_of_arms_that_run(LabScale scale) {
    List<TierExperiment> all = all(scale);

    assertThat(all.stream().flatMap(experiment -> experiment.aims().stream()).map(Aim::id))
        .containsAll(ASKED_FOR)
        .doesNotHaveDuplicates();
    for (TierExperiment experiment : all) {
      for (Aim aim : experiment.aims()) {
        assertThat(experiment.armNames()).as(aim.id()).containsAll(arms(aim));
      }
      Map<String, Long> names =
          experiment.stages().stream()
              .collect(Collectors.groupingBy(stage -> stage.name(), Collectors.counting()));
      assertThat(names.values()).as("stages' names").containsOnly(1L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"echash-exp1", "echash-exp2", "echash-exp3", "echash-exp4"})
  void takes_some_arms(String name) {
    TierExperiment whole = Experiments.ofTier(name, LabScale.SMOKE).orElseThrow();

    TierExperiment chosen = whole.withArms(List.of("echash"));

    assertThat(chosen.armNames()).containsExactly("echash");
    assertThat(chosen.stages()).hasSameSizeAs(whole.stages());
    assertThat(chosen.blocks()).isLessThan(whole.blocks());
    assertThatThrownBy(() -> whole.withArms(List.of("lcs")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("arm 'lcs': " + name + " has ");
  }

  @Test
  void names_are_of_one_kind_or_the_other() {
    assertThat(Experiments.names()).doesNotHaveDuplicates().contains("depart-exp1", "echash-exp1");
    assertThat(Experiments.ofTier("depart-exp1", LabScale.SMOKE)).isEmpty();
    assertThatThrownBy(() -> Experiments.named("echash-exp9", LabScale.SMOKE))
        .hasMessageContaining("must be one of depart-motivation")
        .hasMessageContaining("echash-exp5");
  }

  private static List<TierExperiment> all(LabScale scale) {
    Function<String, List<TierExperiment>> found =
        name -> Experiments.ofTier(name, scale).stream().toList();
    return Experiments.names().stream().flatMap(name -> found.apply(name).stream()).toList();
  }

  private static List<String> arms(Aim aim) {
    if (aim instanceof Aim.Ratio ratio) {
      return List.of(ratio.arm(), ratio.peer());
    }
    return List.of(((Aim.Median) aim).arm());
  }
}

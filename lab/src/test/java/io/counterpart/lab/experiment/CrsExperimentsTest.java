package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Disturbance;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.FittedExperiment;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CrsExperimentsTest {
  @ParameterizedTest
  @EnumSource(LabScale.class)
  void every_figure_compares_arms_that_its_phases_have(LabScale scale) {
    for (String name : List.of("crs-fig3", "crs-fig4")) {
      Experiment experiment = Experiments.named(name, scale);

      assertThat(experiment.aims()).isNotEmpty();
      for (Aim aim : experiment.aims()) {
        List<String> compared =
            aim instanceof Aim.Ratio ratio
                ? List.of(ratio.arm(), ratio.peer())
                : List.of(((Aim.Median) aim).arm());
        List<String> phases =
            aim instanceof Aim.Ratio ratio ? ratio.phases() : ((Aim.Median) aim).phases();
        for (String phase : phases) {
          assertThat(armsOf(experiment, phase)).as(aim.id()).containsAll(compared);
        }
      }
    }
  }

  /** Arms read other replicas: in one cluster they would take each other's page cache. */
  @Test
  void each_arm_of_the_throughput_has_nodes_of_its_own() {
    assertThat(Experiments.named("crs-fig4", LabScale.SMALL).stages())
        .hasSize(5)
        .allSatisfy(stage -> assertThat(stage.arms()).hasSize(1));
  }

  @ParameterizedTest
  @CsvSource({"crs-fig3, 3", "crs-fig4, 4"})
  void random_and_ordered_tokens_are_compared_under_the_same_steps(String name, int ordered) {
    Experiment experiment = Experiments.named(name, LabScale.SMALL);

    assertThat(experiment.stages())
        .extracting(Stage::placement)
        .startsWith(Placement.RANDOM)
        .endsWith(Collections.nCopies(ordered, Placement.POR).toArray(Placement[]::new))
        .hasSize(1 + ordered);
    assertThat(blocks(experiment.stages().get(0))).isEqualTo(blocks(experiment.stages().get(1)));
    // else one of two tables would have less of the page cache than the one with random tokens
    assertThat(experiment.stages())
        .allSatisfy(
            stage ->
                assertThat(stage.arms().stream().map(ExperimentArm::table).distinct()).hasSize(1));
    assertThat(Experiments.settingsOf(name))
        .isEqualTo(Map.of("native_transport_max_threads", 32, "concurrent_reads", 32));
    assertThat(Experiments.settingsOf("depart-exp1")).isEmpty();
  }

  @Test
  void nodes_are_disturbed_in_the_slow_phases_alone() {
    List<Stage> stages = Experiments.named("crs-fig3", LabScale.SMALL).stages();
    for (Stage stage : stages) {
      Disturbance now = Disturbance.NONE;
      List<String> disturbed = new ArrayList<>();
      for (Step step : stage.steps()) {
        if (step instanceof Step.Disturb disturb) {
          now = disturb.by();
        } else if (step instanceof Step.Blocks blocks && now.hasSlowNode() && now.hasPauses()) {
          disturbed.add(blocks.phase());
        }
      }

      boolean isDecoupled = stages.indexOf(stage) >= 2;
      assertThat(disturbed)
          .isEqualTo(isDecoupled ? List.of("slow_b") : List.of("slow_c", "slow_b", "slow_a"));
      assertThat(blocks(stage)).extracting(Step.Blocks::phase).contains("healthy_b");
      assertThat(now).isEqualTo(Disturbance.NONE);
      assertThat(stage.isLimited()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void levels_are_decided_in_all_phases_of_latency_beside_the_same_arm_without(LabScale scale) {
    Experiment latency = Experiments.named("crs-fig3", scale);

    assertThat(latency.stages())
        .extracting(Stage::decidesLevels)
        .startsWith(false, true, false)
        .endsWith(false);
    for (String phase : List.of("healthy_b", "slow_c", "slow_b", "slow_a")) {
      assertThat(armsOf(latency, phase)).contains("ucs_t4+por+pf", "ucs_t4+por+pf+cr");
    }
    assertThat(latency.withArms(List.of("ucs_t4+por+pf")).stages())
        .extracting(Stage::decidesLevels)
        .containsExactly(false);
    assertThat(Experiments.named("crs-fig4", scale).stages())
        .extracting(Stage::decidesLevels)
        .containsOnly(false);
  }

  @Test
  void somebody_elses_nodes_are_refused() {
    for (String name : List.of("crs-fig3", "crs-fig4")) {
      Experiment experiment = Experiments.named(name, LabScale.SMALL);

      assertThatThrownBy(() -> FittedExperiment.of(experiment, OptionalInt.of(5)))
          .isInstanceOf(RunRefusedException.class);
    }
  }

  @Test
  void latencies_are_those_of_an_open_loop_and_throughput_that_of_a_closed_one() {
    assertThat(Experiments.named("crs-fig3", LabScale.SMALL).stages())
        .flatExtracting(CrsExperimentsTest::blocks)
        .extracting(Step.Blocks::operationsPerSecond)
        .containsOnly(400);
    assertThat(Experiments.named("crs-fig4", LabScale.SMALL).stages())
        .flatExtracting(CrsExperimentsTest::blocks)
        .extracting(Step.Blocks::operationsPerSecond)
        .containsOnly(0);
  }

  private static List<String> armsOf(Experiment experiment, String phase) {
    List<String> names = new ArrayList<>();
    for (Stage stage : experiment.stages()) {
      for (Step.Blocks blocks : blocks(stage)) {
        if (blocks.phase().equals(phase)) {
          blocks.of(stage.arms()).stream().map(ExperimentArm::name).forEach(names::add);
        }
      }
    }
    return names;
  }

  private static List<Step.Blocks> blocks(Stage stage) {
    return stage.steps().stream()
        .filter(Step.Blocks.class::isInstance)
        .map(Step.Blocks.class::cast)
        .toList();
  }
}

package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.value.ValueKind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FormatsExperimentTest {
  @ParameterizedTest
  @EnumSource(LabScale.class)
  void every_figure_compares_arms_that_its_phase_has(LabScale scale) {
    Experiment experiment = Experiments.named("formats", scale);
    Stage stage = experiment.stages().get(0);

    for (Aim aim : experiment.aims()) {
      List<String> compared =
          aim instanceof Aim.Ratio ratio
              ? List.of(ratio.arm(), ratio.peer())
              : List.of(((Aim.Median) aim).arm());
      List<String> phases =
          aim instanceof Aim.Ratio ratio ? ratio.phases() : ((Aim.Median) aim).phases();
      assertThat(phases).as(aim.id()).hasSize(1);
      assertThat(armsOf(stage, phases.get(0))).as(aim.id()).containsAll(compared);
    }
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void tables_differ_in_formats_alone(LabScale scale) {
    Stage stage = Experiments.named("formats", scale).stages().get(0);

    Arm plain = arm(stage, Arm.DECOUPLED_T4);
    Arm formats = arm(stage, Arm.FORMATS);

    assertThat(formats.compaction()).containsAllEntriesOf(plain.compaction());
    assertThat(formats.compaction().keySet())
        .filteredOn(option -> !plain.compaction().containsKey(option))
        .allMatch(option -> option.startsWith("redundant_"))
        .hasSize(3);
    assertThat(stage.tables().get(0).name())
        .as("whose data the cache is a share of")
        .isEqualTo(Arm.UCS_T4);
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void stock_tables_are_rebuilt_and_decoupled_ones_recovered(LabScale scale) {
    Stage stage = Experiments.named("formats", scale).stages().get(0);

    assertThat(stage.steps())
        .filteredOn(Step.Recover.class::isInstance)
        .flatExtracting(step -> ((Step.Recover) step).arms())
        .extracting(arm -> arm.name())
        .startsWith(
            "ucs_t4+rebuild",
            "ucs_t4_4k+rebuild",
            "ucs_t4_zstd+rebuild",
            "lcs+rebuild",
            "decoupled_t4+recover",
            "decoupled_formats+recover")
        .hasSize(scale == LabScale.SMOKE ? 6 : 7);
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void limited_reads_have_the_same_memory_on_all_arms(LabScale scale) {
    Stage stage = Experiments.named("formats", scale).stages().get(0);

    assertThat(stage.steps())
        .filteredOn(Step.Blocks.class::isInstance)
        .extracting(step -> ((Step.Blocks) step).regime())
        .filteredOn(regime -> regime.isLimited())
        .hasSize(2)
        .allMatch(regime -> regime.isOfFirstTable());
    assertThat(Experiments.valuesOf("formats")).isEqualTo(ValueKind.JSON);
  }

  private static List<String> armsOf(Stage stage, String phase) {
    for (Step step : stage.steps()) {
      if (step instanceof Step.Rounds rounds && rounds.phase().equals(phase)) {
        return stage.tables().stream().map(LabTable::name).toList();
      }
      if (step instanceof Step.Blocks blocks && blocks.phase().equals(phase)) {
        return blocks.of(stage.arms()).stream().map(ExperimentArm::name).toList();
      }
      if (step instanceof Step.ColdReads cold && cold.phase().equals(phase)) {
        return cold.blocks(Plans.ONE_ONE).of(stage.arms()).stream()
            .map(ExperimentArm::name)
            .toList();
      }
      if (step instanceof Step.Recover recover && recover.phase().equals(phase)) {
        return recover.arms().stream().map(arm -> arm.name()).toList();
      }
    }
    throw new AssertionError("no phase " + phase);
  }

  private static Arm arm(Stage stage, String name) {
    return stage.tables().stream()
        .map(LabTable::arm)
        .filter(arm -> arm.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}

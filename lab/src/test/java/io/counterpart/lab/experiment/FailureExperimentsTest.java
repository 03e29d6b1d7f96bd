package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.RecoveryArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Step;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureExperimentsTest {
  @ParameterizedTest
  @EnumSource(LabScale.class)
  void recoveries_are_paired_at_three_growing_sizes(LabScale scale) {
    Experiment experiment = Experiments.named("depart-exp6", scale);
    List<Step> steps = experiment.stages().get(0).steps();

    List<Step.Recover> recoveries = of(steps, Step.Recover.class);
    assertThat(recoveries).hasSize(3);
    assertThat(recoveries)
        .allSatisfy(
            step -> {
              assertThat(step.repeats()).isEqualTo(scale == LabScale.SMOKE ? 1 : 2);
              assertThat(step.regime()).isEqualTo(Regime.HEADLINE);
              assertThat(step.arms())
                  .extracting(RecoveryArm::name)
                  .containsExactly(
                      "lcs+repair", "decoupled_t4+recover", "lcs+rebuild", "decoupled_t4+paper");
            });
    assertThat(of(steps, Step.Load.class).stream().mapToInt(Step.Load::rows).sum())
        .isEqualTo(scale.rows());
    List<String> phases = recoveries.stream().map(Step.Recover::phase).toList();
    assertThat(experiment.aims())
        .satisfiesExactly(
            ratio -> {
              assertThat(((Aim.Ratio) ratio).phases()).isEqualTo(phases);
              assertThat(((Aim.Ratio) ratio).arm()).isEqualTo("decoupled_t4+recover");
              assertThat(((Aim.Ratio) ratio).peer()).isEqualTo("lcs+repair");
              assertThat(((Aim.Ratio) ratio).asked().atMost()).isTrue();
            },
            share -> {
              assertThat(((Aim.Median) share).phases()).isEqualTo(phases);
              assertThat(((Aim.Median) share).arm()).isEqualTo("decoupled_t4+recover");
            });
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void the_node_is_down_for_what_is_measured_so_and_up_at_the_end(LabScale scale) {
    Experiment experiment = Experiments.named("depart-exp7", scale);
    boolean down = false;

    for (Step step : experiment.stages().get(0).steps()) {
      if (step instanceof Step.Down) {
        assertThat(down).isFalse();
        down = true;
      } else if (step instanceof Step.Up) {
        assertThat(down).isTrue();
        down = false;
      } else if (step instanceof Step.Blocks blocks) {
        assertThat(blocks.phase().endsWith("_down")).as(blocks.phase()).isEqualTo(down);
        assertThat(blocks.levels()).isEqualTo(Plans.ONE_ONE);
      } else {
        assertThat(down).as("a load, a drain or a repair needs every node").isFalse();
      }
    }

    assertThat(down).isFalse();
    Aim.Throughput aim = (Aim.Throughput) experiment.aims().get(0);
    assertThat(experiment.armNames())
        .contains(aim.arm(), aim.peer(), "decoupled_s5", "decoupled_s5+pf", "lcs+pf")
        .hasSize(scale == LabScale.SMOKE ? 6 : 7);
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void a_repair_under_reads_follows_each_outage_with_one_routing(LabScale scale) {
    List<Step> steps = Experiments.named("depart-exp7", scale).stages().get(0).steps();

    assertThat(of(steps, Step.ReadsUnderRepair.class))
        .extracting(Step.ReadsUnderRepair::routing)
        .isEqualTo(
            scale == LabScale.SMOKE
                ? List.of(Routing.STOCK)
                : List.of(Routing.STOCK, Routing.PRIMARY_FIRST));
    for (Step step : steps) {
      if (step instanceof Step.ReadsUnderRepair) {
        assertThat(steps.get(steps.indexOf(step) - 1)).isInstanceOf(Step.Up.class);
      }
    }
  }

  private static <T extends Step> List<T> of(List<Step> steps, Class<T> type) {
    return steps.stream().filter(type::isInstance).map(type::cast).toList();
  }
}

package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.workload.OperationMix;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BreakdownExperimentTest {
  @ParameterizedTest
  @EnumSource(LabScale.class)
  void every_write_is_done_by_the_servers_before_another_tables_time_is_taken(LabScale scale) {
    Experiment experiment = Experiments.named("depart-exp5", scale);
    Stage stage = experiment.stages().get(0);

    assertThat(stage.steps())
        .satisfiesExactly(
            profile -> assertThat(profile).isEqualTo(new Step.Profile()),
            load -> assertThat(load).isEqualTo(new Step.Load("load", scale.rows(), 1)),
            drain -> assertThat(drain).isInstanceOf(Step.Drain.class),
            read -> assertThat(((Step.Blocks) read).mix()).isEqualTo(OperationMix.READS),
            update ->
                assertThat(update)
                    .isEqualTo(
                        new Step.Update(
                            "update",
                            scale.operations() * scale.repeats(),
                            Plans.ONE_ONE,
                            Regime.HEADLINE)),
            drain -> assertThat(drain).isInstanceOf(Step.Drain.class));
    // the decoupled table works on when it has been quiet for a while: nothing may follow it
    List<ExperimentArm> arms = stage.arms();
    assertThat(arms.get(arms.size() - 1).name()).isEqualTo(Plans.DECOUPLED);
    // load, drain, update and its drain of three tables, and reads of six arms; by rank one of both
    int byRank = scale == LabScale.SMOKE ? 0 : 4 + scale.repeats();
    assertThat(experiment.blocks()).isEqualTo(4 * 3 + 6 * scale.repeats() + byRank);
  }
}

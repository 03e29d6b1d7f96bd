package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.FittedExperiment;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The experiments that compare reads of layouts. */
class RankArmTest {
  private static final String BY_RANK = "by_rank+pf";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "depart-exp1",
        "depart-exp2",
        "depart-exp3",
        "depart-exp4",
        "depart-exp7",
        "depart-exp9",
        "depart-exp10"
      })
  void primary_copies_in_a_b_plus_tree_are_an_arm_where_nodes_have_the_engine(String name) {
    Experiment small = Experiments.named(name, LabScale.SMALL);

    assertThat(small.armNames()).contains(BY_RANK);
    assertThat(Experiments.named(name, LabScale.SMOKE).armNames()).doesNotContain(BY_RANK);
    FittedExperiment without = FittedExperiment.of(small, OptionalInt.empty(), Set.of());
    assertThat(without.experiment().armNames()).contains("lcs").doesNotContain(BY_RANK);
    assertThat(without.skipped())
        .contains("arm by_rank+pf skipped: the nodes cannot have the storage engine lmdb");
  }
}

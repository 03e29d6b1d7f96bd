package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.FittedExperiment;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.LabTable;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
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
        "depart-exp5",
        "depart-exp7",
        "depart-exp8",
        "depart-exp9",
        "depart-exp10",
        "formats"
      })
  void primary_copies_in_a_b_plus_tree_are_an_arm_where_nodes_have_the_engine(String name) {
    check(name, BY_RANK, "lcs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"crs-fig3", "crs-fig4"})
  void the_same_on_ordered_tokens(String name) {
    check(name, "by_rank+por+pf", "ucs_t4+por+pf");
  }

  private static void check(String name, String byRank, String peer) {
    Experiment small = Experiments.named(name, LabScale.SMALL);

    assertThat(small.armNames()).contains(byRank);
    assertThat(Experiments.named(name, LabScale.SMOKE).armNames()).doesNotContain(byRank);
    FittedExperiment without = FittedExperiment.of(small, OptionalInt.empty(), Set.of());
    assertThat(without.experiment().armNames()).contains(peer).doesNotContain(byRank);
    assertThat(without.skipped())
        .contains("arm " + byRank + " skipped: the nodes cannot have the storage engine lmdb");
  }

  /** A figure of a phase is of all blocks with its name, so the arm's are the others'. */
  @ParameterizedTest
  @ValueSource(strings = {"crs-fig3", "crs-fig4", "depart-exp5"})
  void a_stage_of_its_own_measures_as_those_of_its_peers(String name) {
    List<Stage> stages = Experiments.named(name, LabScale.SMALL).stages();
    Stage own = stages.get(stages.size() - 1);
    Stage peers = stages.get(stages.size() - 2);

    assertThat(own.tables()).extracting(LabTable::name).containsExactly("by_rank");
    assertThat(peers.tables()).extracting(LabTable::name).contains("decoupled_t4");
    assertThat(own.steps()).isEqualTo(peers.steps());
    assertThat(own.nodes()).isEqualTo(peers.nodes());
  }

  @Test
  void the_arm_is_read_in_the_phases_that_compare_formats() {
    Stage stage = Experiments.named("formats", LabScale.SMALL).stages().get(0);

    assertThat(stage.steps())
        .filteredOn(Step.Blocks.class::isInstance)
        .extracting(Step.Blocks.class::cast)
        .filteredOn(
            blocks -> blocks.of(stage.arms()).stream().anyMatch(arm -> arm.name().equals(BY_RANK)))
        .extracting(Step.Blocks::phase)
        .containsExactly("read", "read_down");
    assertThat(stage.steps())
        .filteredOn(Step.ColdReads.class::isInstance)
        .extracting(step -> ((Step.ColdReads) step).arms())
        .allSatisfy(arms -> assertThat(arms).contains(BY_RANK));
  }
}

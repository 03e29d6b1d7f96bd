package io.counterpart.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.failure.RecoveryMethod;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {
  private static final LabTable STOCK = LabTable.of(Arm.named(Arm.LCS).orElseThrow());
  private static final LabTable OURS = LabTable.of(Arm.named(Arm.DECOUPLED_T4).orElseThrow());
  private static final ConsistencyLevels ONE =
      new ConsistencyLevels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);
  private static final RecoveryArm REPAIR = new RecoveryArm(STOCK, RecoveryMethod.REPAIR);
  private static final RecoveryArm REBUILD = new RecoveryArm(STOCK, RecoveryMethod.REBUILD);
  private static final RecoveryArm RECOVER = new RecoveryArm(OURS, RecoveryMethod.RECOVER);
  private static final RecoveryArm PAPER = new RecoveryArm(OURS, RecoveryMethod.PAPER);

  @Test
  void each_round_of_recoveries_restores_every_table_once() {
    Step.Recover step = recover(REPAIR, RECOVER, REBUILD, PAPER);

    assertThat(step.rounds(List.of(STOCK, OURS)))
        .containsExactly(List.of(REPAIR, RECOVER), List.of(REBUILD, PAPER));
    assertThat(step.rounds(List.of(OURS))).containsExactly(List.of(RECOVER), List.of(PAPER));
  }

  @Test
  void blocks_keep_their_rate_and_refuse_one_below_zero() {
    Step.Blocks reads =
        new Step.Blocks(
            "r", OperationMix.READS, ONE, new Repetition(10, 0, 0, 1), Regime.UNLIMITED);

    assertThat(reads.operationsPerSecond()).as("that of the run").isZero();
    assertThat(reads.at(500).on(List.of("lcs")).operationsPerSecond()).isEqualTo(500);
    assertThatThrownBy(() -> reads.at(-1)).hasMessageContaining("-1: must be at least 0");
  }

  @Test
  void a_table_that_some_round_would_leave_empty_is_refused() {
    assertThatThrownBy(() -> recover(REPAIR, RECOVER, PAPER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lcs+repair, decoupled_t4+recover, decoupled_t4+paper");
    assertThatThrownBy(() -> recover(REPAIR, REPAIR)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> recover()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stage_counts_recoveries_and_reads_under_repair() {
    List<ExperimentArm> arms =
        List.of(
            new ExperimentArm(STOCK, Routing.STOCK),
            new ExperimentArm(OURS, Routing.STOCK),
            new ExperimentArm(OURS, Routing.PRIMARY_FIRST));
    Step.Recover recover =
        new Step.Recover("r", List.of(REPAIR, RECOVER, REBUILD, PAPER), 3, Regime.HEADLINE);
    Step.ReadsUnderRepair reads =
        new Step.ReadsUnderRepair("u", 3, Routing.PRIMARY_FIRST, ONE, 10, Regime.UNLIMITED);

    assertThat(new Stage(5, 1000, arms, List.of(recover, reads)).blocks()).isEqualTo(4 * 3 + 1);
    assertThat(new Stage(5, 1000, arms, List.of(recover)).isLimited()).isTrue();
    Step.Update update = new Step.Update("w", 10, ONE, Regime.HEADLINE);
    assertThat(new Stage(5, 1000, arms, List.of(update)).blocks()).as("a table's").isEqualTo(2);
    assertThat(new Stage(5, 1000, arms, List.of(update)).isLimited()).isTrue();
    assertThat(new Stage(5, 1000, arms, List.of(reads, new Step.Down(3))).isLimited()).isFalse();
  }

  @Test
  void stage_counts_rounds_of_tables_and_blocks_of_the_arms_that_take_part() {
    List<ExperimentArm> arms =
        List.of(
            new ExperimentArm(STOCK, Routing.STOCK),
            new ExperimentArm(OURS, Routing.PRIMARY_FIRST),
            new ExperimentArm(OURS, Routing.REDUNDANT));
    Step.Rounds rounds = new Step.Rounds("w", 30, 10, 3);
    Step.Blocks some =
        new Step.Blocks("r", OperationMix.READS, ONE, new Repetition(10, 0, 2, 4), Regime.UNLIMITED)
            .on(List.of("decoupled_t4+redundant"));
    Step.ColdReads cold = new Step.ColdReads("c", List.of("lcs", "decoupled_t4+pf"), 10, 5);

    assertThat(new Stage(5, 1000, arms, List.of(rounds)).blocks()).isEqualTo(3 * 2);
    assertThat(new Stage(5, 1000, arms, List.of(some)).blocks()).isEqualTo(4);
    assertThat(new Stage(5, 1000, arms, List.of(cold)).blocks()).isEqualTo(5 * 2);
    assertThat(new Stage(5, 1000, arms, List.of(cold)).isLimited()).isTrue();
    assertThat(cold.blocks(ONE).mix()).isEqualTo(OperationMix.UNIFORM_READS);
  }

  @Test
  void arms_on_nodes_with_different_tokens_need_a_stage_each() {
    ExperimentArm random = new ExperimentArm(STOCK, Routing.DYNAMIC_01, Placement.RANDOM);
    ExperimentArm ordered = new ExperimentArm(STOCK, Routing.PRIMARY_FIRST, Placement.POR);

    assertThat(new Stage(5, 1000, List.of(random), List.of()).placement())
        .isEqualTo(Placement.RANDOM);
    assertThat(new ExperimentArm(STOCK, Routing.DYNAMIC_01).name()).isEqualTo("lcs+ds01");
    assertThatThrownBy(() -> new Stage(5, 1000, List.of(random, ordered), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("arms [lcs+random+ds01, lcs+por+pf]: one cluster has one placement of tokens");
  }

  @Test
  void a_slow_node_needs_limits_and_pauses_do_not() {
    List<ExperimentArm> arms = List.of(new ExperimentArm(STOCK, Routing.STOCK));
    Step slow = new Step.Disturb(new Disturbance(3, 20, 0, 0));
    Step pauses = new Step.Disturb(new Disturbance(0, 0, 5_000, 150));

    assertThat(new Stage(5, 1000, arms, List.of(slow)).isLimited()).isTrue();
    assertThat(new Stage(5, 1000, arms, List.of(pauses)).isLimited()).isFalse();
  }

  @Test
  void rounds_without_a_row_each_are_refused() {
    assertThatThrownBy(() -> new Step.Rounds("w", 2, 0, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "rounds 3, rows 2, updates 0: needs at least one round, as many rows, 0 updates");
  }

  @Test
  void the_seed_stays_up() {
    assertThatThrownBy(() -> new Step.Down(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("node 1: must be 2 or above");
  }

  @Test
  void updates_of_nothing_are_refused() {
    assertThatThrownBy(() -> new Step.Update("w", 0, ONE, Regime.UNLIMITED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("operations 0: must be at least 1");
  }

  private static Step.Recover recover(RecoveryArm... arms) {
    return new Step.Recover("recover", List.of(arms), 1, Regime.UNLIMITED);
  }
}

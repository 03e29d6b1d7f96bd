package io.counterpart.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.run.ClientMemory;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.ClusterNeeds;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.workload.ClientShape;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Experiments on an existing cluster, and their requirements. */
class FittedExperimentTest {
  private static final ConsistencyLevels ONE =
      new ConsistencyLevels(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ONE);
  private static final LabTable LCS = LabTable.of(Arm.named(Arm.LCS).orElseThrow());
  private static final LabTable DECOUPLED =
      new LabTable(Arm.named(Arm.DECOUPLED_T4).orElseThrow(), 5);
  private static final List<ExperimentArm> ARMS =
      List.of(
          new ExperimentArm(LCS, Routing.STOCK),
          new ExperimentArm(LCS, Routing.PRIMARY_FIRST),
          new ExperimentArm(DECOUPLED, Routing.STOCK));

  @Test
  void takes_as_many_nodes_as_there_are_and_leaves_out_phases_that_only_vary_limits() {
    Experiment experiment =
        experiment(
            stage(5, blocks("read", OperationMix.READS, Regime.HEADLINE)),
            stage(
                5,
                new Step.Update("rewrite", 100, ONE, Regime.HEADLINE),
                blocks("update", OperationMix.UPDATES, Regime.UNLIMITED),
                blocks("curve", OperationMix.READS, new Regime(0.5, 100))));

    FittedExperiment fitted = FittedExperiment.of(experiment, OptionalInt.of(7));

    assertThat(fitted.experiment().stages()).extracting(Stage::nodes).containsExactly(7, 7);
    assertThat(fitted.experiment().blocks()).isEqualTo(2 * 2 * 3 + 2);
    assertThat(fitted.skipped()).hasSize(1);
    assertThat(fitted.skipped().get(0)).startsWith("phase curve skipped");
  }

  @Test
  void keeps_phases_whose_usual_disk_is_slower_than_the_headlines() {
    Regime slow = new Regime(Regime.HEADLINE.cacheFraction(), 100);
    Experiment experiment =
        experiment(
            stage(
                5,
                blocks("mixed", OperationMix.READS, slow),
                blocks("curve", OperationMix.READS, Regime.HEADLINE)));

    FittedExperiment fitted = FittedExperiment.of(experiment, OptionalInt.of(5));

    assertThat(fitted.experiment().blocks()).isEqualTo(2 * 3);
    assertThat(fitted.skipped()).hasSize(1);
    assertThat(fitted.skipped().get(0)).startsWith("phase curve skipped");
  }

  @Test
  void keeps_the_stage_of_the_clusters_size_where_size_is_what_is_compared() {
    Experiment experiment = experiment(stage(5), stage(8));

    FittedExperiment fitted = FittedExperiment.of(experiment, OptionalInt.of(8));

    assertThat(fitted.experiment().stages()).extracting(Stage::nodes).containsExactly(8);
    assertThat(fitted.skipped()).containsExactly("stage of 5 nodes skipped: the cluster has 8");
    assertThatThrownBy(() -> FittedExperiment.of(experiment, OptionalInt.of(6)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessage("it compares clusters of [5, 8] nodes; this one has 6");
  }

  @Test
  void refuses_what_would_only_vary_limits() {
    Experiment experiment =
        experiment(stage(5, blocks("curve", OperationMix.READS, new Regime(0.5, 100))));

    assertThatThrownBy(() -> FittedExperiment.of(experiment, OptionalInt.of(5)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageStartingWith("it: every phase limits cache or disk");
  }

  @Test
  void refuses_steps_that_do_more_to_nodes_than_read_and_write() {
    Experiment experiment = experiment(stage(5, new Step.Profile()));

    assertThatThrownBy(() -> FittedExperiment.of(experiment, OptionalInt.of(5)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageStartingWith("it: its step Profile records, stops or changes processes");
    assertThat(FittedExperiment.of(experiment, OptionalInt.empty()).experiment())
        .isEqualTo(experiment);
  }

  @Test
  void refuses_to_slow_pause_or_place_somebody_elses_nodes() {
    Experiment slow = experiment(stage(5, new Step.Disturb(new Disturbance(3, 20, 0, 0))));
    ExperimentArm arm = new ExperimentArm(LCS, Routing.STOCK, Placement.RANDOM);
    Experiment placed = experiment(new Stage(5, 10_000, List.of(arm), List.of()));

    assertThatThrownBy(() -> FittedExperiment.of(slow, OptionalInt.of(5)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageStartingWith("it: its step Disturb records, stops or changes processes");
    assertThatThrownBy(() -> FittedExperiment.of(placed, OptionalInt.of(5)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageStartingWith("it: needs nodes with random tokens of its own");
    assertThat(FittedExperiment.of(placed, OptionalInt.empty()).experiment()).isEqualTo(placed);
  }

  @Test
  void refuses_to_put_a_query_handler_into_somebody_elses_nodes() {
    ExperimentArm arm = new ExperimentArm(LCS, Routing.PRIMARY_FIRST_CONSISTENT);
    Experiment deciding = experiment(new Stage(5, 10_000, List.of(arm), List.of()));

    assertThatThrownBy(() -> FittedExperiment.of(deciding, OptionalInt.of(5)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageStartingWith("it: its arms with +cr need nodes that start with a query handler");
    assertThat(FittedExperiment.of(deciding, OptionalInt.empty()).experiment()).isEqualTo(deciding);
  }

  @Test
  void all_of_it_fits_where_nodes_are_started() {
    Experiment experiment =
        experiment(stage(5, blocks("curve", OperationMix.READS, new Regime(0.5, 100))), stage(8));

    assertThat(FittedExperiment.of(experiment, OptionalInt.empty()))
        .isEqualTo(new FittedExperiment(experiment, List.of()));
  }

  @Test
  void data_is_what_is_loaded_and_inserted_times_replicas_with_room_for_compaction() {
    Stage stage =
        stage(
            5,
            new Step.Load("load", 1000, 2),
            blocks("insert", OperationMix.INSERTS, Regime.UNLIMITED));

    ClusterNeeds needs = StageNeeds.of(stage, ClientShape.PAPER);

    // a pair is 1,024 bytes; both arms of the first table insert 3 blocks of 100
    long rows = 3 * (1000 + 2 * 300) + 5 * (1000 + 300);
    assertThat(needs).isEqualTo(new ClusterNeeds(5, 5, true, rows * 1024 * 2));
  }

  @Test
  void rows_that_the_heap_cannot_remember_are_refused_with_what_would_do() {
    Stage stage = new Stage(5, 40_000_000, ARMS, List.of());

    ClientMemory.require(stage, 1L << 30);
    assertThatThrownBy(() -> ClientMemory.require(stage, 800L << 20))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContainingAll("800 MiB of heap, needed: 910 MiB", "COUNTERPART_HEAP=1g");
  }

  private static Step.Blocks blocks(String phase, OperationMix mix, Regime regime) {
    return new Step.Blocks(phase, mix, ONE, new Repetition(100, 0, 1, 2), regime);
  }

  private static Stage stage(int nodes, Step... steps) {
    return new Stage(nodes, 10_000, ARMS, List.of(steps));
  }

  private static Experiment experiment(Stage... stages) {
    return new Experiment("it", "none", "none", List.of(stages), List.of());
  }
}

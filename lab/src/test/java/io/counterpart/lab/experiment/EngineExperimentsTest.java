package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.FittedExperiment;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineExperimentsTest {
  private static final String WORKLOADS = "mycassandra-fig4-6";
  private static final String READS = "mycassandra-reads";

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void every_figure_compares_arms_that_its_phase_has(LabScale scale) {
    for (String name : List.of(WORKLOADS, READS)) {
      Experiment experiment = Experiments.named(name, scale);

      for (Aim aim : experiment.aims()) {
        String phase =
            aim instanceof Aim.Throughput throughput
                ? throughput.phase()
                : ((Aim.Ratio) aim).phases().get(0);
        List<String> compared =
            aim instanceof Aim.Throughput throughput
                ? List.of(throughput.arm(), throughput.peer())
                : List.of(((Aim.Ratio) aim).arm(), ((Aim.Ratio) aim).peer());
        assertThat(armsOf(experiment, phase)).as(aim.id()).containsAll(compared);
      }
    }
  }

  @Test
  void engines_have_the_papers_workloads_without_replication() {
    Experiment experiment = Experiments.named(WORKLOADS, LabScale.SMALL);
    Stage stage = experiment.stages().get(0);

    assertThat(experiment.armNames())
        .containsExactly(
            "ucs_t4_rf1",
            "stcs_rf1",
            "lmdb_rf1",
            "sql_rf1",
            "redis_rf1",
            "memory_rf1",
            "lmdb_direct_rf1",
            "sql_direct_rf1",
            "redis_direct_rf1");
    assertThat(stage.tables()).allMatch(table -> table.replicationFactor() == 1);
    assertThat(limited(stage))
        .extracting(blocks -> List.of(blocks.mix().read(), blocks.mix().update()))
        .containsExactly(
            List.of(0.0, 1.0),
            List.of(0.0, 1.0),
            List.of(0.5, 0.5),
            List.of(0.95, 0.05),
            List.of(1.0, 0.0));
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void all_arms_have_the_stock_tables_memory_and_begin_with_empty_memtables(LabScale scale) {
    Stage stage = Experiments.named(WORKLOADS, scale).stages().get(0);

    assertThat(limited(stage)).hasSize(5).allMatch(blocks -> blocks.regime().isOfFirstTable());
    assertThat(stage.tables().get(0).arm().engine()).isEmpty();
    assertThat(stage.steps().indexOf(new Step.FlushWrites()))
        .isBetween(0, stage.steps().indexOf(limited(stage).get(0)));
  }

  @Test
  void by_rank_and_decoupled_differ_in_what_keeps_the_primary_copies() {
    Stage stage = Experiments.named("engine-by-rank", LabScale.SMALL).stages().get(0);
    Map<String, String> tree = new TreeMap<>(stage.tables().get(1).arm().compaction());
    Map<String, String> byRank = new TreeMap<>(stage.tables().get(2).arm().compaction());

    assertThat(stage.arms())
        .extracting(ExperimentArm::name)
        .containsExactly("ucs_t4", "decoupled_t4+pf", "by_rank+pf");
    assertThat(tree.remove("primary")).isEqualTo("ucs");
    assertThat(byRank.remove("primary")).isEqualTo("engine");
    assertThat(byRank).isEqualTo(tree);
    assertThat(stage.engines()).containsExactly("lmdb");
  }

  @Test
  void an_engine_that_is_not_there_is_skipped_aloud() {
    Experiment experiment = Experiments.named(WORKLOADS, LabScale.SMOKE);

    FittedExperiment fitted =
        FittedExperiment.of(experiment, OptionalInt.empty(), Set.of("lmdb", "memory"));

    assertThat(fitted.experiment().armNames())
        .containsExactly("ucs_t4_rf1", "stcs_rf1", "lmdb_rf1", "memory_rf1", "lmdb_direct_rf1");
    assertThat(fitted.skipped())
        .containsExactly(
            "arm sql_rf1 skipped: the nodes cannot have the storage engine sql",
            "arm redis_rf1 skipped: the nodes cannot have the storage engine redis",
            "arm sql_direct_rf1 skipped: the nodes cannot have the storage engine sql",
            "arm redis_direct_rf1 skipped: the nodes cannot have the storage engine redis");
  }

  @Test
  void a_read_meets_four_sstables_that_stay_as_they_are() {
    List<Stage> stages = Experiments.named(READS, LabScale.SMALL).stages();
    Stage stage = stages.get(0);
    Step.Rounds rounds = (Step.Rounds) stage.steps().get(0);
    Arm uncompacted = Arm.known(Arm.UNCOMPACTED);

    assertThat(rounds.rounds()).isEqualTo(4);
    assertThat(rounds.updates()).as("keys in several flushes").isPositive();
    assertThat(uncompacted.compaction()).containsEntry("enabled", "false");
    assertThat(stage.arms())
        .extracting(ExperimentArm::name)
        .containsExactly("uncompacted_rf1", "ucs_t4_rf1", "lmdb_rf1");
    assertThat(stages).extracting(Stage::arms).containsOnly(stage.arms());
    assertThat(stages.get(1).steps().get(0)).isEqualTo(new Step.UpdateStatements());
    // a round of one table is in memory until it is flushed
    assertThat(Experiments.settingsOf(READS)).containsEntry("memtable_offheap_space", "256MiB");
  }

  private static List<Step.Blocks> limited(Stage stage) {
    return stage.steps().stream()
        .filter(Step.Blocks.class::isInstance)
        .map(Step.Blocks.class::cast)
        .filter(blocks -> blocks.regime().isLimited())
        .toList();
  }

  private static List<String> armsOf(Experiment experiment, String phase) {
    for (Stage stage : experiment.stages()) {
      for (Step step : stage.steps()) {
        if (step instanceof Step.Blocks blocks && blocks.phase().equals(phase)) {
          return blocks.of(stage.arms()).stream().map(ExperimentArm::name).toList();
        }
        if (step instanceof Step.ColdReads cold && cold.phase().equals(phase)) {
          return cold.arms();
        }
      }
    }
    throw new AssertionError("no phase " + phase);
  }
}

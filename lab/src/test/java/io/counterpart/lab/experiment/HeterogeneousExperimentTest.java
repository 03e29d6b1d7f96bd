package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.FittedExperiment;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.setup.ServerShape;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeterogeneousExperimentTest {
  private static final String NAME = "mycassandra-fig11-16";

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void all_clusters_stand_side_by_side_on_as_many_servers(LabScale scale) {
    Experiment experiment = Experiments.named(NAME, scale);

    assertThat(experiment.rounds()).hasSize(1);
    assertThat(experiment.stages())
        .allMatch(stage -> stage.nodes() == 3 * stage.servers().nodes())
        .extracting(Stage::nodes)
        .containsExactly(3, 3, 9, 3);
    assertThat(experiment.stages().stream().map(stage -> stage.servers().place()))
        .doesNotHaveDuplicates();
    assertThat(experiment.stages().subList(2, 4))
        .extracting(Stage::placement)
        .containsOnly(Placement.ENGINES);
  }

  @Test
  void arms_without_a_figure_run_at_larger_scales_alone() {
    List<String> ofFigures =
        List.of("lcs", "ucs_t4", "lmdb", "heterogeneous+classes", "class_per_server+classes");

    assertThat(Experiments.named(NAME, LabScale.SMOKE).armNames()).isEqualTo(ofFigures);
    assertThat(Experiments.named(NAME, LabScale.SMALL).armNames())
        .containsAll(ofFigures)
        .contains("ucs_t4_rows", "by_rank+pf", "decoupled_t4+pf")
        .hasSize(8);
  }

  @ParameterizedTest
  @EnumSource(LabScale.class)
  void every_phase_has_the_same_keys_and_as_many_blocks_of_every_arm(LabScale scale) {
    Experiment experiment = Experiments.named(NAME, scale);

    assertThat(experiment.stages())
        .extracting(stage -> blocks(stage).stream().map(Step.Blocks::phase).toList())
        .containsOnly(blocks(experiment.stages().get(0)).stream().map(Step.Blocks::phase).toList());
    assertThat(experiment.stages())
        .extracting(
            stage -> blocks(stage).stream().map(each -> each.repetition().repeats()).toList())
        .hasSize(4)
        .allMatch(repeats -> repeats.stream().distinct().count() == 1);
    assertThat(experiment.stages().stream().flatMap(stage -> blocks(stage).stream()))
        .allMatch(each -> each.regime().readsPerSecond() == 100);
    for (Aim aim : experiment.aims()) {
      String phase =
          aim instanceof Aim.Throughput throughput
              ? throughput.phase()
              : ((Aim.Ratio) aim).phases().get(0);
      String peer =
          aim instanceof Aim.Throughput throughput ? throughput.peer() : ((Aim.Ratio) aim).peer();
      String arm =
          aim.id().endsWith("_class_per_server")
              ? "class_per_server+classes"
              : "heterogeneous+classes";
      assertThat(arms(experiment, phase)).as(aim.id()).contains(arm, peer);
    }
  }

  /** Memory and read nodes are on servers of their own, and so is the memory that they use. */
  @Test
  void servers_of_one_class_each_have_the_same_memory_for_data() {
    ServerMemory memory = ServerMemory.of(200_000);
    ServerShape spread = Experiments.named(NAME, LabScale.SMALL).stages().get(3).servers();

    assertThat(List.of(1, 2, 3))
        .extracting(spread::entriesMebibytes)
        .containsExactly(0, 0, memory.dataMebibytes() - 32);
    assertThat(spread.heapMegabytes() + 290 + 32)
        .as("all of the memory node's server")
        .isLessThan(memory.treeHeap() + 290 + memory.dataMebibytes());
  }

  /** Of heap, row cache and page cache, with what JVMs need beside. */
  @ParameterizedTest
  @ValueSource(ints = {3_000, 200_000, 10_000_000})
  void servers_of_every_kind_have_the_same_memory(int rows) {
    ServerMemory memory = ServerMemory.of(rows);
    int beside = 290;

    int classes = 3 * (memory.classHeap() + beside) + memory.classCache();
    int stock = memory.stockHeap() + beside + memory.rowCache() + memory.stockCache();
    int tree = memory.treeHeap() + beside + memory.dataMebibytes();

    assertThat(stock).isEqualTo(classes);
    assertThat(tree).isEqualTo(classes);
    assertThat(memory.stockHeap()).isGreaterThan(3 * memory.classHeap() / 2);
  }

  @Test
  void memory_for_data_has_the_papers_share_of_the_data() {
    ServerMemory memory = ServerMemory.of(200_000);
    double data = 200_000 * 1024.0 / (1 << 20);

    assertThat(memory.dataMebibytes() / data).isCloseTo(5.5 / 8.8, within(0.01));
    assertThat(memory.stockCache() / data).isCloseTo(1.5 / 8.8, within(0.01));
    assertThat(memory.classHeap() / 4 + memory.classCache()).isEqualTo(memory.dataMebibytes());
    assertThat(memory.nodeSettings(3)).containsEntry("memtable_offheap_space", "8MiB");
    assertThat(memory.nodeSettings(1)).containsEntry("memtable_offheap_space", "24MiB");
  }

  @Test
  void nodes_of_somebody_elses_are_refused_and_missing_engines_skipped_aloud() {
    Experiment experiment = Experiments.named(NAME, LabScale.SMOKE);

    assertThatThrownBy(() -> FittedExperiment.of(experiment, OptionalInt.of(3), Set.of("lmdb")))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("needs servers with 1 node of");
    assertThat(FittedExperiment.of(experiment, OptionalInt.empty(), Set.of("lmdb")).skipped())
        .containsExactly(
            "arm heterogeneous+classes skipped: the nodes cannot have the storage engine memory",
            "arm class_per_server+classes skipped: the nodes cannot have the storage engine"
                + " memory");
  }

  @Test
  void a_table_of_several_engines_needs_nodes_of_several_classes() {
    ExperimentArm heterogeneous =
        Experiments.named(NAME, LabScale.SMOKE).stages().get(2).arms().get(0);

    assertThatThrownBy(() -> new Stage(3, 1000, List.of(heterogeneous), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("heterogeneous", "several classes");
    assertThatThrownBy(() -> ServerShape.ofOneNode("eleventh", 10, 700, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("place 10: must be 0 to 9");
  }

  private static List<Step.Blocks> blocks(Stage stage) {
    return stage.steps().stream()
        .filter(Step.Blocks.class::isInstance)
        .map(Step.Blocks.class::cast)
        .toList();
  }

  private static List<String> arms(Experiment experiment, String phase) {
    return experiment.stages().stream()
        .flatMap(
            stage ->
                blocks(stage).stream()
                    .filter(each -> each.phase().equals(phase))
                    .flatMap(each -> each.of(stage.arms()).stream()))
        .map(ExperimentArm::name)
        .toList();
  }
}

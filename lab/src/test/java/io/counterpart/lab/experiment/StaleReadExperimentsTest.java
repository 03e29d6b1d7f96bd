package io.counterpart.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.staleness.NodeSetup;
import io.counterpart.lab.staleness.StalenessExperiment;
import io.counterpart.lab.staleness.StalenessStage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaleReadExperimentsTest {
  @ParameterizedTest
  @CsvSource({
    // 26 cells and 3 controls at 2 gaps, and 9 loads; 3 cells, a control and 2 loads once more
    "crs-fig5, 77, 77",
    "crs-fig6, 18, 45",
    "crs-overhead, 6, 80"
  })
  void have_as_many_blocks_as_cells_and_repeats(String name, int smoke, int small) {
    assertThat(at(name, LabScale.SMOKE).blocks()).isEqualTo(smoke);
    assertThat(at(name, LabScale.SMALL).blocks()).isEqualTo(small);
    assertThat(at(name, LabScale.SMALL).name()).isEqualTo(name);
    assertThat(Experiments.names()).contains(name);
  }

  @Test
  void figures_of_the_paper_are_of_its_replication_factors_after_a_warm_up() {
    assertThat(at("crs-fig5", LabScale.SMALL).stages())
        .extracting(StalenessStage::replicas)
        .containsExactly(8, 3, 5, 7, 3);
    assertThat(at("crs-fig6", LabScale.SMALL).stages())
        .extracting(StalenessStage::replicas)
        .containsExactly(8, 5, 7, 5);
  }

  @Test
  void more_replicas_than_nodes_are_refused() {
    List<StalenessStage> stages = at("crs-fig5", LabScale.SMOKE).stages();

    assertThatThrownBy(
            () -> new StalenessExperiment("x", "", "", new NodeSetup(5, 384, true, 2), stages))
        .hasMessage("experiment x: 8 replicas, legal: at most the 5 nodes");
  }

  private static StalenessExperiment at(String name, LabScale scale) {
    return Experiments.ofStaleReads(name, scale).orElseThrow();
  }
}

package io.counterpart.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.setup.Arm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecouplingFiguresTest {
  @Test
  void takes_the_median_of_paired_ratios_not_the_ratio_of_medians() {
    List<Map<String, ArmFigures>> rounds =
        List.of(
            pair("decoupled", 10, "lcs", 100, 1),
            pair("decoupled", 60, "lcs", 200, 1),
            pair("decoupled", 40, "lcs", 50, 1));

    LabFigure figure = figure(rounds, "dec.compaction_vs_lcs");

    assertThat(figure.measured()).isCloseTo(0.3, within(1e-9));
    assertThat(figure.low()).isCloseTo(0.1, within(1e-9));
    assertThat(figure.high()).isCloseTo(0.8, within(1e-9));
    assertThat(figure.reached()).isTrue();
  }

  @Test
  void does_not_reach_compaction_against_ucs_with_costlier_reads() {
    LabFigure equal =
        figure(List.of(pair("decoupled_t4", 10, "ucs_t4", 100, 1)), "dec.compaction_vs_ucs_t4");
    LabFigure costlier =
        figure(List.of(pair("decoupled_t4", 10, "ucs_t4", 100, 1.1)), "dec.compaction_vs_ucs_t4");

    assertThat(equal.reached()).isTrue();
    assertThat(costlier.reached()).isFalse();
    assertThat(costlier.note()).contains("1.10");
  }

  @Test
  void reports_a_share_as_it_is() {
    LabFigure figure = figure(List.of(pair("decoupled", 10, "lcs", 100, 1)), "dec.zero_copy_share");

    assertThat(figure.measured()).isCloseTo(0.95, within(1e-9));
    assertThat(figure.reached()).isTrue();
  }

  @Test
  void leaves_out_figures_whose_arms_did_not_run() {
    assertThat(DecouplingFigures.of(List.of(pair("lcs", 1, "ucs_t4", 1, 1)), "full")).isEmpty();
    assertThat(DecouplingFigures.of(List.of(), "full")).isEmpty();
  }

  @Test
  void covers_every_figure_that_is_asked_for() {
    Map<String, ArmFigures> round = new HashMap<>();
    Arm.all().forEach(arm -> round.put(arm.name(), FiguresOf.compaction(1, 1)));

    assertThat(DecouplingFigures.of(List.of(round), "full"))
        .extracting(LabFigure::id)
        .containsExactly(
            "dec.compaction_vs_lcs",
            "dec.compaction_vs_ucs_l10",
            "dec.compaction_vs_ucs_t4",
            "dec.sstable_files",
            "dec.cpu_vs_lcs",
            "dec.writes_vs_lcs",
            "dec.memtable_vs_stock",
            "dec.disk_vs_stock",
            "dec.recovery_vs_lcs",
            "dec.zero_copy_share");
  }

  private static LabFigure figure(List<Map<String, ArmFigures>> rounds, String id) {
    return DecouplingFigures.of(rounds, "full").stream()
        .filter(figure -> figure.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, ArmFigures> pair(
      String arm, double bytes, String peer, double peerBytes, double readRatio) {
    return Map.of(
        arm, FiguresOf.compaction(bytes, 2 * readRatio), peer, FiguresOf.compaction(peerBytes, 2));
  }
}

package io.counterpart.lab.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class StalenessFiguresTest {
  private static final Duration NONE = Duration.ZERO;

  @Test
  void a_cell_is_within_if_its_interval_meets_the_predicted_one() {
    // 500 of 1,000 is 45 to 55 % at the confidence of three cells
    List<BlockResult> blocks =
        List.of(
            rate("r1", 500, 0.52, 0.60), rate("r2", 500, 0.40, 0.48), rate("r3", 500, 0.56, 0.60));

    LabFigure figure = only(blocks);

    assertThat(figure.id()).isEqualTo("crs.stale_cells_within");
    assertThat(figure.measured()).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(figure.reached()).isFalse();
    assertThat(figure.note()).isEqualTo("outside, of 3 cells: n5_w1_after10ms r3");
  }

  @Test
  void a_stale_read_of_a_control_is_outside_whatever_the_interval_is() {
    Map<String, Long> control = Map.of("control", 1L);

    assertThat(only(List.of(rate("r4", 0, 0, 0.01, control))).measured()).isEqualTo(1);
    assertThat(only(List.of(rate("r4", 1, 0, 0.01, control))).measured()).isZero();
  }

  @Test
  void a_bound_is_kept_if_the_upper_end_of_all_repeats_is_below_it() {
    List<BlockResult> kept =
        List.of(bounded(0, 0.01, 2, 2_000), bounded(1, 0.01, 3, 2_000), bounded(2, 0.01, 1, 2_000));
    List<BlockResult> broken = List.of(bounded(0, 0.01, 20, 2_000), bounded(1, 0.01, 0, 2_000));

    assertThat(figure(kept, "crs.stale_cells_within_bound").measured()).isEqualTo(1);
    // 20 of 4,000 is 0.5 %, at most 0.8 %
    assertThat(figure(broken, "crs.stale_cells_within_bound").measured()).isEqualTo(1);
    // each block alone: 20 of 2,000 is 1 %, at most 1.5 %
    assertThat(figure(broken.subList(0, 1), "crs.stale_cells_within_bound").measured()).isZero();
  }

  @Test
  void contacted_replicas_are_divided_by_those_of_quorum() {
    LabFigure figure =
        figure(List.of(bounded(0, 0.01, 0, 100), bounded(0, 0.05, 0, 100)), "crs.replicas_rf5");

    // each read waited for two of three
    assertThat(figure.measured()).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(figure.reached()).isTrue();
    assertThat(figure.arms()).containsExactly("epsilon_0.01", "quorum");
  }

  @Test
  void background_work_of_samples_counts_for_the_handler() {
    List<BlockResult> blocks =
        List.of(
            overhead(OverheadStage.OFF, 0, 10, 1, 1_000),
            overhead(OverheadStage.ON, 0, 11, 1, 1_100));

    // (11 + 1) ÷ (10 − 1), not 11 ÷ 10
    assertThat(figure(blocks, "crs.overhead_cpu").measured()).isCloseTo(12 / 9.0, within(1e-9));
    LabFigure p50 = figure(blocks, "crs.overhead_p50");
    assertThat(p50.measured()).isCloseTo(1.1, within(0.01));
    assertThat(p50.reached()).isFalse();
    assertThat(p50.atMost()).isTrue();
  }

  @Test
  void no_blocks_have_no_figures() {
    assertThat(StalenessFigures.of(List.of(), "it", 1)).isEmpty();
    assertThat(StalenessCurves.of(List.of())).isEmpty();
  }

  @Test
  void curves_go_by_the_replicas_read_and_by_the_bound() {
    List<BlockResult> blocks = new ArrayList<>();
    blocks.add(rate("r2", 100, 0.05, 0.15));
    blocks.add(rate("r1", 500, 0.45, 0.55));
    blocks.add(bounded(0, 0.05, 1, 100));
    blocks.add(bounded(0, 0.001, 0, 100));

    List<Series> curves = StalenessCurves.of(blocks);

    assertThat(curves).extracting(Series::line).startsWith("W = 1, measured");
    assertThat(curves.get(0).id()).isEqualTo("stale_n5_after10ms");
    assertThat(curves.get(0).points())
        .containsExactly(new Series.Point(1, 50), new Series.Point(2, 10));
    Series contacted = curves.get(3);
    assertThat(contacted.id()).isEqualTo("bound_rf5");
    assertThat(contacted.points()).extracting(Series.Point::x).containsExactly(1.0, 50.0);
    assertThat(contacted.points().get(0).y()).isCloseTo(200 / 3.0, within(1e-9));
  }

  private static LabFigure only(List<BlockResult> blocks) {
    List<LabFigure> figures = StalenessFigures.of(blocks, "it", 1);
    assertThat(figures).hasSize(1);
    return figures.get(0);
  }

  private static LabFigure figure(List<BlockResult> blocks, String id) {
    return StalenessFigures.of(blocks, "it", 1).stream()
        .filter(figure -> figure.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static BlockResult rate(String arm, long stale, double low, double high) {
    return rate(arm, stale, low, high, Map.of());
  }

  private static BlockResult rate(
      String arm, long stale, double low, double high, Map<String, Long> more) {
    Map<String, Long> counters = new LinkedHashMap<>(more);
    counters.put(CellCounters.STALE_READS, stale);
    counters.put(CellCounters.STALE_PPM, stale * 1_000);
    counters.put(CellCounters.PREDICTED_PPM, CellCounters.ppm((low + high) / 2));
    counters.put(CellCounters.PREDICTED_LOW_PPM, CellCounters.ppm(low));
    counters.put(CellCounters.PREDICTED_HIGH_PPM, CellCounters.ppm(high));
    return block(arm, "n5_w1_after10ms", 0, 1_000).withCounters(counters);
  }

  private static BlockResult bounded(int repeat, double epsilon, long stale, long reads) {
    return block(BoundStage.arm(epsilon), BoundStage.phase(StaleTable.STOCK, 5), repeat, reads)
        .withCounters(
            Map.of(
                CellCounters.STALE_READS,
                stale,
                CellCounters.EPSILON_PPM,
                CellCounters.ppm(epsilon),
                CellCounters.CONTACTED,
                2 * reads,
                CellCounters.QUORUM,
                3 * reads));
  }

  private static BlockResult block(String arm, String phase, int repeat, long reads) {
    return new BlockResult(arm, phase, repeat, reads, 0, 1, Map.of(), NodeCost.ofCpu(NONE));
  }

  private static BlockResult overhead(
      String arm, int repeat, long cpuSeconds, long backgroundSeconds, long micros) {
    Histogram histogram = new Histogram(3);
    histogram.recordValue(micros);
    return new BlockResult(
            arm,
            OverheadStage.PHASE,
            repeat,
            1_000,
            0,
            1,
            Map.of("read", LatencySummary.of(histogram)),
            NodeCost.ofCpu(Duration.ofSeconds(cpuSeconds)))
        .withCounters(Map.of(CellCounters.BACKGROUND_CPU_MICROS, backgroundSeconds * 1_000_000));
  }
}
